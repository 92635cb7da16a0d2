import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'
import type { MerchantId } from '../../../payment/payment.ts'
import type { WatchedRefund } from '../../../payment/store/merchant-refund-store.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'

/** A refund that a stored transfer pays, or paid before a reorg reverted it. */
export type PaidRefund = Pick<SeenTransfer, 'txId' | 'logIndex' | 'blockHash' | 'payer'> & {
  id: MerchantRefundId
  amount: bigint
  isReverted: boolean
}

/**
 * Maximum difference between this host's clock and the chain's. Merchants report transfers made before the request themselves.
 */
const clockSkewMs = 2 * 60 * 1000

/**
 * `isShare`: the splitter's own transfer of a refund, which an earlier read, without the splitter's event, took for a plain one. It pays
 * nothing.
 */
export type RefundTransfer = SeenTransfer & { refund: WatchedRefund; isShare: boolean }

/**
 * Assigns transfers to the refunds that they pay. The splitter's event names its refund. A plain transfer names only an address
 * and anyone may send tokens to a customer, so it counts only if the merchant's own wallet sent it, after the request. Of several
 * open refunds to one address, it pays the oldest with exactly this amount, else the oldest unpaid one; a cancelled one only if no
 * other fits as well.
 * @param refunds - Oldest first.
 * @param paid - Matches of earlier reads, which are kept, whoever sent the transfer: canonical ones first.
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
    return refund && refund.splitter === transfer.source ? [{ ...transfer, refund, isShare: false }] : []
  })
  const takeEarlier = createEarlierMatches(paid)
  for (const split of splits) {
    takeEarlier(split, [split.refund])
    open.set(split.refund.id, (open.get(split.refund.id) ?? 0n) - split.amount)
  }
  const shares = splitSharesOf(splits, transfers)
  const isWithheld = (one: PaidRefund) => !one.isReverted && !transfers.some((transfer) => isSameLog(one, transfer))
  const withheld = paid.filter(isWithheld)
  const plain: RefundTransfer[] = []
  for (const transfer of transfers) {
    const there = refunds.filter(({ address, token }) => isTransferTo(transfer, address, token))
    if (there.length === 0) continue
    if (shares.has(transfer)) {
      const taken = there.find(({ id }) => paid.some((one) => one.id === id && isSameLog(one, transfer)))
      if (taken) plain.push({ ...transfer, refund: taken, isShare: true })
      continue
    }
    // A node withheld the splitter's event, which an earlier read has counted.
    if (withheld.some((one) => isShareOf(transfer, one) && there.some(({ id }) => id === one.id))) continue
    const byMerchant = there.filter((refund) => isOfMerchant(transfer, refund, owners))
    const refund = takeEarlier(transfer, there) ?? chosen(transfer, byMerchant, open)
    if (refund === undefined) continue
    open.set(refund.id, (open.get(refund.id) ?? 0n) - transfer.amount)
    plain.push({ ...transfer, refund, isShare: false })
  }
  return [...splits, ...plain]
}

const isSameLog = (one: PaidRefund, { txId, logIndex }: SeenTransfer): boolean =>
  one.txId === txId && one.logIndex === logIndex

const isSamePayer = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether the transfer may be the splitter's own for a refund that another log of its transaction paid in the same block. */
const isShareOf = ({ txId, blockHash, amount, logIndex }: SeenTransfer, one: PaidRefund): boolean =>
  one.txId === txId && one.blockHash === blockHash && one.amount === amount && one.logIndex !== logIndex

const isTransferTo = ({ topic, source }: SeenTransfer, address: string, token: string): boolean =>
  topic === addressTopic(address) && source === token

function isOfMerchant(
  { payer, blockNumber, blockTimeMs }: SeenTransfer,
  { sender, asked, merchantId, afterBlock, createdAtMs }: WatchedRefund,
  owners: ReadonlyMap<string, MerchantId>,
): boolean {
  const from = payer.toLowerCase()
  const isOwn = from === sender || from === asked || owners.get(from) === merchantId
  // If no block, or only one far behind, was known at the request, the time decides what is earlier.
  const isLater = blockNumber > afterBlock && blockTimeMs >= createdAtMs - clockSkewMs
  return isOwn && isLater
}

/**
 * Finds which of the refunds a transfer paid at an earlier read. A replacing block may give the logs of a transaction other indexes, but no
 * other amounts or payers. Each match is taken once.
 */
function createEarlierMatches(paid: readonly PaidRefund[]) {
  const left = [...paid]
  return (
    { txId, logIndex, blockHash, amount, payer }: SeenTransfer,
    refunds: readonly WatchedRefund[],
  ): WatchedRefund | undefined => {
    const refundOf = (one: PaidRefund) => refunds.find(({ id }) => id === one.id)
    const isAlike = (one: PaidRefund) => one.txId === txId && one.amount === amount && isSamePayer(one.payer, payer)
    const alike = left.filter((one) => isAlike(one) && refundOf(one))
    // In the same block, another index is another log.
    const found = alike.find((one) => one.logIndex === logIndex) ?? alike.find((one) => one.blockHash !== blockHash)
    if (found === undefined) return undefined
    left.splice(left.indexOf(found), 1)
    return refundOf(found)
  }
}

/** The splitter's own transfers of the refunds that its events paid: the same money. Each event has one. */
function splitSharesOf(
  splits: readonly RefundTransfer[],
  transfers: readonly SeenTransfer[],
): ReadonlySet<SeenTransfer> {
  const shares = new Set<SeenTransfer>()
  for (const { txId, amount, payer, source, refund } of splits) {
    const isAlike = (one: SeenTransfer) => one.txId === txId && one.amount === amount && !shares.has(one)
    const alike = transfers.filter((one) => isAlike(one) && isTransferTo(one, refund.address, refund.token))
    // The splitter moves the payer's tokens, or its own.
    const isFrom = (one: SeenTransfer) => isSamePayer(one.payer, payer) || isSamePayer(one.payer, source)
    const share = alike.find(isFrom) ?? alike[0]
    if (share) shares.add(share)
  }
  return shares
}

function chosen(
  { amount }: SeenTransfer,
  candidates: readonly WatchedRefund[],
  open: ReadonlyMap<string, bigint>,
): WatchedRefund | undefined {
  const openOf = ({ id }: WatchedRefund) => open.get(id) ?? 0n
  const inOrder = candidates.toSorted((one, other) => Number(one.isCancelled) - Number(other.isCancelled))
  return (
    inOrder.find((one) => openOf(one) === amount) ??
    inOrder.find((one) => openOf(one) > 0n) ??
    // All are paid: the transfer is reported as an overpayment.
    inOrder[0]
  )
}
