import { add, type BaseUnits, excess, formatAmount, isSignificantChange, zero } from '../core/money.ts'
import type { WebhookEventType } from '../core/record-codes.ts'
import { iso } from '../core/runtime.ts'
import { newestOf, type StoredTransfer, type Transfer, type TransferState } from './event.ts'
import { isDirect, type MerchantId, outcomeOf, type Payment, type PaymentId } from './payment.ts'
import { settledOf } from './payment-sums.ts'

/*
 * A merchant refund is a payment in the other direction: the merchant's own wallet pays a customer back. The service
 * never holds its money. What the service itself returns (excess, late and unmatched money) is a `Refund` in `refund.ts`.
 */

declare const brand: unique symbol

/** UUID, lower case. */
export type MerchantRefundId = string & { readonly [brand]: 'MerchantRefundId' }

export const merchantRefundStatuses = [
  /** Nobody has named the customer's address. */
  'awaiting_address',
  /** The merchant has to pay it, in whole or the rest. */
  'to_pay',
  /** The whole amount is in blocks with too few confirmations. */
  'confirming',
  /** The whole amount is confirmed. A reorg can take it back. */
  'paid',
  /** The merchant cancelled it before anything was seen. */
  'cancelled',
] as const
export type MerchantRefundStatus = (typeof merchantRefundStatuses)[number]

/** Which rate converts a refund's price to tokens: that of the payment, or the current one. */
export const refundRates = ['then', 'now'] as const
export type RefundRate = (typeof refundRates)[number]

/** The price that a refund's amount was converted from. `rate`: units of the currency for one whole token. */
export type RefundPrice = { amount: string; currency: string; rate: string; rateOf: RefundRate }

/** Where a refund is paid to. On networks with a splitter, `termsHash` names it in the splitter's event; else null. */
export type RefundPlace = {
  address: string
  /** Lower case. */
  splitter: string | null
  termsHash: string | null
  splitTerms: string | null
}

export type MerchantRefund = {
  id: MerchantRefundId
  paymentId: PaymentId
  merchantId: MerchantId
  isTest: boolean
  network: string
  currency: string
  tokenAddress: string
  tokenDecimals: number
  amount: BaseUnits
  /** Null: the request named the amount in tokens. */
  price: RefundPrice | null
  /** The merchant's text, which the customer reads too. */
  reason: string | null
  /** The person who asked for it in the dashboard. Null: a key, a store or the command line. */
  requestedBy: string | null
  /** Confirmations that a high-value refund requires. Null: the network's default. */
  confirmations: number | null
  /** The newest block that was known at the request. Plain transfers up to it do not count. */
  afterBlock: number
  place: RefundPlace | null
  /** Sums of canonical transfers: in a block, and confirmed. */
  seen: BaseUnits
  paid: BaseUnits
  /** The newest transfer. */
  lastTxId: string | null
  status: MerchantRefundStatus
  version: number
  createdAtMs: number
  /** Null: nobody has named it, or this service was older when somebody did. */
  addressNamedAtMs: number | null
  /** When the whole amount was confirmed. Kept while a reorg moves the transfers to other blocks. */
  paidAtMs: number | null
  cancelledAtMs: number | null
}

export type MerchantRefundEvent =
  | { type: 'transfer.seen' | 'transfer.confirmed'; transfer: Transfer; atMs: number }
  | { type: 'transfer.reverted'; transfer: Transfer; arriving?: bigint; atMs: number }
  | { type: 'address.named'; place: RefundPlace; atMs: number }
  | { type: 'refund.cancelled'; atMs: number }

export type MerchantRefundStep = {
  refund: MerchantRefund
  /** The transfer as it must be stored. */
  transfer?: StoredTransfer
  events: WebhookEventType[]
}

/** The sums and the status before the first event. */
export const initialRefund = {
  requestedBy: null,
  place: null,
  seen: zero,
  paid: zero,
  lastTxId: null,
  status: 'awaiting_address',
  version: 1,
  addressNamedAtMs: null,
  paidAtMs: null,
  cancelledAtMs: null,
} as const

/**
 * Every way a merchant refund can move. The status follows from the facts, so the order of events never decides how it
 * ends, and a repeated event changes nothing.
 * @param known - The event's transfer as it is stored for this refund.
 * @param newestOther - The newest of the refund's other canonical transfers.
 */
export function moveMerchantRefund(
  refund: MerchantRefund,
  event: MerchantRefundEvent,
  known?: StoredTransfer,
  newestOther?: StoredTransfer,
): MerchantRefundStep {
  const stored = { known, newestOther }
  switch (event.type) {
    case 'transfer.seen':
      return known?.state === 'confirmed' && known.blockHash === event.transfer.blockHash
        ? unchanged(refund)
        : moveTransfer(refund, event.transfer, 'seen', event.atMs, stored)
    case 'transfer.confirmed':
      return moveTransfer(refund, event.transfer, 'confirmed', event.atMs, stored)
    case 'transfer.reverted':
      // Only the replaced block drops its transfer, not the block that it may have moved to.
      return known === undefined || known.state === 'reverted' || known.blockHash !== event.transfer.blockHash
        ? unchanged(refund)
        : moveTransfer(refund, known, 'reverted', event.atMs, stored, event.arriving)
    case 'address.named':
      return refund.place !== null || refund.cancelledAtMs !== null
        ? unchanged(refund)
        : settle(refund, { ...refund, place: event.place, addressNamedAtMs: event.atMs }, event.atMs)
    case 'refund.cancelled':
      return refund.cancelledAtMs !== null || refund.seen > 0n
        ? unchanged(refund)
        : settle(refund, { ...refund, cancelledAtMs: event.atMs, paidAtMs: null }, event.atMs)
    default:
      return event satisfies never
  }
}

const unchanged = (refund: MerchantRefund): MerchantRefundStep => ({ refund, events: [] })

function moveTransfer(
  refund: MerchantRefund,
  transfer: Transfer,
  state: TransferState,
  atMs: number,
  { known, newestOther }: { known: StoredTransfer | undefined; newestOther: StoredTransfer | undefined },
  arriving = 0n,
): MerchantRefundStep {
  if (transfer.amount <= 0n) return unchanged(refund)
  if (known && known.state === state && known.blockHash === transfer.blockHash) return unchanged(refund)
  const stored: StoredTransfer = { ...transfer, state, isLate: false }
  const [before, after] = [sums(known), sums(stored)]
  const moved = {
    ...refund,
    seen: (refund.seen - before.seen + after.seen) as BaseUnits,
    paid: (refund.paid - before.paid + after.paid) as BaseUnits,
    lastTxId: newestOf(stored, newestOther)?.txId ?? null,
  }
  return { ...settle(refund, moved, atMs, arriving), transfer: stored }
}

/** What one transfer adds to each sum. */
function sums(transfer: StoredTransfer | undefined): { seen: bigint; paid: bigint } {
  if (!transfer || transfer.state === 'reverted') return { seen: 0n, paid: 0n }
  return { seen: transfer.amount, paid: transfer.state === 'confirmed' ? transfer.amount : 0n }
}

function settle(before: MerchantRefund, facts: MerchantRefund, atMs: number, arriving = 0n): MerchantRefundStep {
  const status = statusOf(facts)
  // A reorg that moves the transfers to other blocks undoes nothing.
  const isLost = facts.seen < before.seen && facts.seen + arriving < facts.amount
  const paidAtMs = status === 'paid' ? (facts.paidAtMs ?? atMs) : isLost ? null : facts.paidAtMs
  const refund = { ...facts, status, paidAtMs, version: before.version + 1 }
  return { refund, events: refundEvents(before, refund) }
}

function statusOf({ paid, seen, amount, cancelledAtMs, place }: MerchantRefund): MerchantRefundStatus {
  // Money that arrived after all counts, even after the refund was cancelled.
  if (paid >= amount) return 'paid'
  if (seen >= amount) return 'confirming'
  if (cancelledAtMs !== null) return 'cancelled'
  return place === null ? 'awaiting_address' : 'to_pay'
}

function refundEvents(before: MerchantRefund, after: MerchantRefund): WebhookEventType[] {
  if (after.paidAtMs !== null && before.paidAtMs === null) return ['refund.paid']
  if (before.paidAtMs !== null && after.paidAtMs === null) return ['refund.failed']
  if (after.cancelledAtMs !== null && before.cancelledAtMs === null) return ['refund.failed']
  // A call that was read before the cancel stays valid for an hour, and a plain transfer always is.
  if (after.status === 'cancelled' && after.paid > before.paid) return ['refund.failed']
  // More than the amount: the merchant has paid twice, or too much.
  const [over, overNow] = [excess(before.paid, before.amount), excess(after.paid, after.amount)]
  return overNow > over && isSignificantChange(after.amount, over, overNow) ? ['refund.paid'] : []
}

/** The sum that still has to be paid, counting transfers with too few confirmations. */
export const remainingOf = ({ amount, seen }: MerchantRefund): BaseUnits => excess(amount, seen)

/** What a refund takes from the sum that may be refunded: its whole amount while it is open, or what was paid. */
export function reservedOf({ status, amount, seen }: Pick<MerchantRefund, 'status' | 'amount' | 'seen'>): BaseUnits {
  return status === 'cancelled' || seen > amount ? seen : amount
}

/** Whether a refund counts towards the number of refunds that a payment may have. One that was cancelled unpaid does not. */
export const isCounted = ({ status, seen }: Pick<MerchantRefund, 'status' | 'seen'>): boolean =>
  status !== 'cancelled' || seen > 0n

/**
 * The sum that the merchant received and may pay back. Money that the service still holds or returns (excess, late and
 * unmatched) is not part of it. Of a direct payment, all went to the merchant's wallet.
 */
export function refundableByMerchant(payment: Payment): BaseUnits {
  if (outcomeOf(payment) === 'pending') return zero
  return isDirect(payment) ? add(payment.received, payment.late) : settledOf(payment)
}

/** The refund as webhooks and all readers have it. Amounts are whole tokens as decimal text. */
export function describeMerchantRefund(refund: MerchantRefund) {
  const format = (amount: BaseUnits) => formatAmount(amount, refund.tokenDecimals)
  const { price } = refund
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    status: refund.status,
    network: refund.network,
    currency: refund.currency,
    amount: format(refund.amount),
    price: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
    rate: price?.rate ?? null,
    rateOf: price?.rateOf ?? null,
    reason: refund.reason,
    address: refund.place?.address ?? null,
    paid: format(refund.paid),
    remaining: format(remainingOf(refund)),
    excess: format(excess(refund.paid, refund.amount)),
    transactionHash: refund.lastTxId,
    isTest: refund.isTest,
    createdAt: iso(refund.createdAtMs),
    addressNamedAt: iso(refund.addressNamedAtMs),
    paidAt: refund.status === 'paid' ? iso(refund.paidAtMs) : null,
    cancelledAt: iso(refund.cancelledAtMs),
  }
}
