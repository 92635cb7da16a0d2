import { findNetwork, type Networks } from '../../core/families.ts'
import { formatAmount } from '../../core/money.ts'
import type { DepositPayment, Stray } from '../../payment/payment.ts'
import { coinAddress, strayAddressOf } from '../../payment/unmatched.ts'

export const unmatchedRefundStates = [
  'address_needed',
  'sending',
  'delayed',
  'failed',
  'too_small',
  'refunded',
] as const
type UnmatchedRefundState = (typeof unmatchedRefundStates)[number]

/** For a person. */
const messages: Record<UnmatchedRefundState, string> = {
  address_needed: 'It can be sent back: say to which address.',
  sending: 'It is on its way back.',
  delayed: 'Sending it back takes longer than usual and is being retried.',
  failed: 'It could not be sent back yet. The merchant has to look at it.',
  too_small: "Sending it back waits: the network's fee is more than the amount.",
  refunded: 'It was sent back.',
}

const coinsRefused =
  'The address takes no coins, or needs more gas for them than a return may use. The merchant can name another address.'

function stateOf(payment: DepositPayment, stray: Stray): UnmatchedRefundState {
  if (stray.held === 0n) return 'refunded'
  if (strayAddressOf(payment, stray) === null) return 'address_needed'
  switch (stray.refund) {
    case 'none':
    case 'queued':
      return 'sending'
    case 'failing':
      return 'delayed'
    case 'failed':
    case 'too_small':
      return stray.refund
    default:
      return stray.refund satisfies never
  }
}

/** What lies at the address and was not asked for, or was sent back from there. What a reorg took away again is not shown. */
export function viewStrays(payment: DepositPayment, networks: Networks) {
  return payment.strays
    .filter(({ held, refunded }) => held > 0n || refunded > 0n)
    .map((stray) => {
      const { network, token, currency, decimals, held, refunded, txId, refundTxId, refundReason } = stray
      const state = stateOf(payment, stray)
      const message = state === 'failed' && refundReason === 'coins_refused' ? coinsRefused : messages[state]
      return {
        network,
        networkName: findNetwork(networks, network)?.name ?? network,
        currency,
        tokenAddress: token === coinAddress ? null : token,
        amount: formatAmount(held, decimals),
        amountRefunded: formatAmount(refunded, decimals),
        transactionHash: txId,
        refund: { state, message, address: strayAddressOf(payment, stray), txHash: refundTxId },
      }
    })
}
