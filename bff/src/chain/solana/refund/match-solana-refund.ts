import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { gainOf, type SolanaTransaction } from '../rpc/solana-transaction.ts'
import { clockSkewMs } from '../split/verify-transfer.ts'
import type { WatchedSolanaRefund } from './solana-refund-store.ts'

/**
 * The refund that a transaction pays. A reference names its refund.
 * Without one, the transfer counts only if all of it comes from the merchant's own wallet, after the request: anyone may send
 * tokens to a customer. Of several open refunds to one address, it pays the oldest with exactly this amount, else the oldest
 * unpaid one; a cancelled one only if no other fits as well.
 * @param refunds - To one token account, oldest first.
 * @param open - Unpaid amount of each refund, in base units.
 */
export function matchSolanaRefund(
  transaction: SolanaTransaction,
  refunds: readonly WatchedSolanaRefund[],
  open: ReadonlyMap<MerchantRefundId, bigint>,
): MerchantRefundId | undefined {
  const gainFor = ({ mint, address }: WatchedSolanaRefund) =>
    gainOf(transaction, { mint, owner: address, account: tokenAccountOf(mint, address) })
  const named = refunds.find(({ reference }) => reference !== null && transaction.keys.includes(reference))
  const chosen = named ?? plainRefund(transaction, refunds, open, gainFor)
  return chosen && gainFor(chosen) > 0n ? chosen.id : undefined
}

function plainRefund(
  transaction: SolanaTransaction,
  refunds: readonly WatchedSolanaRefund[],
  open: ReadonlyMap<MerchantRefundId, bigint>,
  gainFor: (refund: WatchedSolanaRefund) => bigint,
): WatchedSolanaRefund | undefined {
  const candidates = refunds
    .filter((one) => isAfterRequest(transaction, one) && isPaidByMerchant(transaction, one, gainFor(one)))
    .toSorted((one, other) => Number(one.isCancelled) - Number(other.isCancelled))
  const openOf = ({ id }: WatchedSolanaRefund) => open.get(id) ?? 0n
  return (
    candidates.find((one) => openOf(one) === gainFor(one)) ??
    candidates.find((one) => openOf(one) > 0n) ??
    // All are paid: the transfer is reported as an overpayment.
    candidates[0]
  )
}

/** If no slot, or only one far behind, was known at the request, the time decides. */
const isAfterRequest = ({ slot, timeMs }: SolanaTransaction, { afterSlot, createdAtMs }: WatchedSolanaRefund) =>
  slot > afterSlot && timeMs !== null && timeMs >= createdAtMs - clockSkewMs

/** Whether the merchant's wallet paid at least the gain, and nobody else paid any of this token. */
function isPaidByMerchant({ changes }: SolanaTransaction, { mint, sender }: WatchedSolanaRefund, gain: bigint) {
  if (sender === null || gain <= 0n) return false
  const spenders = changes.filter((one) => one.mint === mint && one.after < one.before)
  const spent = spenders.reduce((sum, { before, after }) => sum + before - after, 0n)
  return spent >= gain && spenders.every(({ ownerBefore }) => ownerBefore === sender)
}
