import { findNetwork, type Networks } from '../../core/families.ts'
import { formatAmount } from '../../core/money.ts'
import type { DepositPayment, UnmatchedTransfer } from '../../payment/payment.ts'
import { coinAddress, returnAddressOf } from '../../payment/unmatched.ts'

export const unmatchedRefundStates = [
  'address_needed',
  'sending',
  'delayed',
  'failed',
  'too_small',
  'refunded',
] as const
type UnmatchedRefundState = (typeof unmatchedRefundStates)[number]

const messages: Record<UnmatchedRefundState, string> = {
  address_needed: 'It can be sent back: name an address for it.',
  sending: 'It is on its way back.',
  delayed: 'Sending it back takes longer than usual and is being retried.',
  failed: 'It could not be sent back yet. The merchant needs to act.',
  too_small: "Sending it back waits: the network's fee is more than the amount.",
  refunded: 'It was sent back.',
}

const coinsRefused =
  'The address takes no coins, or needs more gas for them than a return may use. The merchant can name another address.'

function stateOf(payment: DepositPayment, transfer: UnmatchedTransfer): UnmatchedRefundState {
  if (transfer.balance === 0n) return 'refunded'
  if (returnAddressOf(payment, transfer) === null) return 'address_needed'
  switch (transfer.refund) {
    case 'none':
    case 'queued':
      return 'sending'
    case 'failing':
      return 'delayed'
    case 'failed':
    case 'too_small':
      return transfer.refund
    default:
      return transfer.refund satisfies never
  }
}

/** The unmatched transfers at the deposit address or returned from it. Transfers undone by a reorg are left out. */
export function viewUnmatched(payment: DepositPayment, networks: Networks) {
  return payment.unmatched
    .filter(({ balance, refunded }) => balance > 0n || refunded > 0n)
    .map((transfer) => {
      const { network, token, currency, decimals, balance, refunded, txId, refundTxId, refundReason } = transfer
      const state = stateOf(payment, transfer)
      const message = state === 'failed' && refundReason === 'coins_refused' ? coinsRefused : messages[state]
      return {
        network,
        networkName: findNetwork(networks, network)?.name ?? network,
        currency,
        tokenAddress: token === coinAddress ? null : token,
        amount: formatAmount(balance, decimals),
        amountRefunded: formatAmount(refunded, decimals),
        transactionHash: txId,
        refund: { state, message, address: returnAddressOf(payment, transfer), txHash: refundTxId },
      }
    })
}
