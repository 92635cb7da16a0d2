import { PaymentError } from '../../../core/errors.ts'
import type { SolanaNetwork } from '../../../core/families.ts'
import { baseUnits, formatAmount } from '../../../core/money.ts'
import { type NetworkHealth, verifyPayable } from '../../../network/network-health.ts'
import { type MerchantRefund, remainingOf } from '../../../payment/merchant-refund.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { encodeTransfers } from '../split/solana-pay.ts'

type Deps = {
  network: Pick<SolanaNetwork, 'shortName' | 'name'>
  health: NetworkHealth
  adapter: Pick<SolanaAdapter, 'recentBlockhash' | 'tokenAccounts'>
}

/** Creates the transaction with which a merchant's wallet pays the rest of a refund, with the refund's reference. */
export function createRefundTransactions({ network, health, adapter }: Deps) {
  /**
   * @param account - The wallet, in base58, which also pays the network fee.
   * @returns the unsigned transaction in base64.
   * @throws {PaymentError} when the wallet has too little of the token.
   */
  return async function refundTransaction(
    refund: MerchantRefund,
    account: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { place, tokenAddress: mint, tokenDecimals: decimals } = refund
    if (!place) throw new PaymentError('REFUND_NEEDS_ADDRESS', 'Nobody has named the address of this refund.')
    verifyPayable(network.shortName, health)
    const amount = remainingOf(refund)
    const recipient = { owner: place.address, account: tokenAccountOf(mint, place.address), amount }
    const accounts = [tokenAccountOf(mint, account), recipient.account]
    const [{ blockhash }, [wallet, opened]] = await Promise.all([
      adapter.recentBlockhash(signal),
      adapter.tokenAccounts(accounts, undefined, signal),
    ])
    const held = wallet?.amount ?? 0n
    if (held < amount) {
      const format = (units: bigint) => formatAmount(baseUnits(String(units)), decimals)
      const message = `The wallet has ${format(held)} of ${format(amount)} ${refund.currency} on ${network.name}.`
      throw new PaymentError('INSUFFICIENT_FUNDS', message, { status: 400, error: 'No transaction' })
    }
    const missing = new Set(opened === undefined ? [recipient.account] : [])
    const transfers = { mint, decimals, recipients: [recipient], reference: place.termsHash }
    return encodeTransfers(transfers, account, { blockhash, missing })
  }
}
