import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'
import type { MerchantId } from '../../../payment/payment.ts'
import type { WatchedRefund } from '../../../payment/store/merchant-refund-store.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'

/** A refund that a stored transfer already pays. */
export type PaidRefund = { txId: string; logIndex: number; id: MerchantRefundId }

/**
 * Maximum difference between this host's clock and the chain's. Merchants report transfers made before the request themselves.
 */
const clockSkewMs = 2 * 60 * 1000

export type RefundTransfer = SeenTransfer & { refund: WatchedRefund }

/**
 * Assigns transfers to the refunds that they pay. The splitter's event names its refund. A plain transfer names only an address
 * and anyone may send tokens to a customer, so it counts only if the merchant's own wallet sent it, after the request. Of several
 * open refunds to one address, it pays the oldest with exactly this amount, else the oldest unpaid one; a cancelled one only if no
 * other fits as well.
 * @param refunds - Oldest first.
 * @param paid - Matches of earlier reads, which are kept.
 * @param owners - Merchants by their own wallets' addresses, in lower case.
 */
export function matchRefunds(
  transfers: readonly SeenTransfer[],
  refunds: readonly WatchedRefund[],
  paid: readonly PaidRefund[],
  owners: ReadonlyMap<string, MerchantId>,
): RefundTransfer[] {
  if (refunds.length === 0) return []
  const open = new Map(refunds.map((refund) => [refund.id, refund.amount - refund.seen]))
  const splits: RefundTransfer[] = transfers.flatMap((transfer) => {
    const refund = refunds.find(({ termsHash }) => termsHash === transfer.topic.toLowerCase())
    return refund && refund.splitter === transfer.source ? [{ ...transfer, refund }] : []
  })
  for (const { refund, amount } of splits) open.set(refund.id, (open.get(refund.id) ?? 0n) - amount)
  const isOfSplit = createSplitShares(splits)
  const plain: RefundTransfer[] = []
  for (const transfer of transfers) {
    const candidates = refunds.filter((refund) => isPlainTransferTo(transfer, refund, owners))
    if (candidates.length === 0 || isOfSplit(transfer)) continue
    const refund = chosen(transfer, candidates, paid, open)
    if (refund === undefined) continue
    open.set(refund.id, (open.get(refund.id) ?? 0n) - transfer.amount)
    plain.push({ ...transfer, refund })
  }
  return [...splits, ...plain]
}

function isPlainTransferTo(
  { topic, source, payer, blockNumber, blockTimeMs }: SeenTransfer,
  { address, token, sender, asked, merchantId, afterBlock, createdAtMs }: WatchedRefund,
  owners: ReadonlyMap<string, MerchantId>,
): boolean {
  const from = payer.toLowerCase()
  const isOwn = from === sender || from === asked || owners.get(from) === merchantId
  // If no block, or only one far behind, was known at the request, the time decides what is earlier.
  const isLater = blockNumber > afterBlock && blockTimeMs >= createdAtMs - clockSkewMs
  return isOwn && isLater && topic === addressTopic(address) && source === token
}

/** Whether a transfer is the splitter's own, for a refund that its event paid: the same money. Each matches once. */
function createSplitShares(splits: readonly RefundTransfer[]): (transfer: SeenTransfer) => boolean {
  const left = splits.map(({ txId, amount, refund }) => ({ txId, amount, topic: addressTopic(refund.address) }))
  return ({ txId, amount, topic }) => {
    const index = left.findIndex((one) => one.txId === txId && one.amount === amount && one.topic === topic)
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  }
}

function chosen(
  { txId, logIndex, amount }: SeenTransfer,
  candidates: readonly WatchedRefund[],
  paid: readonly PaidRefund[],
  open: ReadonlyMap<string, bigint>,
): WatchedRefund | undefined {
  const ofTransaction = paid.filter((one) => one.txId === txId)
  const known = ofTransaction.find((one) => one.logIndex === logIndex) ?? ofTransaction[0]
  const openOf = ({ id }: WatchedRefund) => open.get(id) ?? 0n
  const inOrder = candidates.toSorted((one, other) => Number(one.isCancelled) - Number(other.isCancelled))
  return (
    inOrder.find(({ id }) => id === known?.id) ??
    inOrder.find((one) => openOf(one) === amount) ??
    inOrder.find((one) => openOf(one) > 0n) ??
    // All are paid: the transfer is reported as an overpayment.
    inOrder[0]
  )
}
