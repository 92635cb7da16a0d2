import type { Link } from '../checkout/link/link.ts'
import { add, type BaseUnits, larger } from '../core/money.ts'
import type { StoredTransfer } from '../payment/event.ts'
import { outcomeOf, type Payment } from '../payment/payment.ts'
import { availableOf, seenOfDue } from '../payment/payment-sums.ts'

export const invoiceStatuses = ['New', 'Processing', 'Expired', 'Invalid', 'Settled'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

type AdditionalStatus = 'None' | 'Marked' | 'PaidLate' | 'PaidPartial' | 'PaidOver'

export const markStatuses = ['Settled', 'Invalid'] as const
export type MarkStatus = (typeof markStatuses)[number]

/**
 * A payment of the invoice's link with its canonical transfers, oldest first; of very many, the oldest and the largest.
 * `countedAfterEnd`: the sum of all its transfers that came after its end, and count.
 */
export type InvoicePayment = { payment: Payment; transfers: readonly StoredTransfer[]; countedAfterEnd: BaseUnits }

/** The facts that decide an invoice's status. */
export type InvoiceFacts = {
  link: Pick<Link, 'expiresAtMs' | 'endedAtMs'>
  payments: readonly InvoicePayment[]
  marked: { as: MarkStatus; atMs: number } | null
  /** Whether a webhook has reported the invoice as settled. */
  wasSettled: boolean
}

export type InvoiceState = {
  status: InvoiceStatus
  additional: AdditionalStatus
  /** More was paid than asked for. */
  isOver: boolean
  /** Something was paid, and less than asked for. */
  isPartial: boolean
  /** The payment that decides the status. Null: the customer has not chosen a token. */
  decider: InvoicePayment | null
}

/** Money in blocks, with too few confirmations or enough, in time or late. */
export const receivedOf = ({ seen, received, late }: Payment): BaseUnits => add(larger(seen, received), late)

const isPaid = (payment: Payment): boolean => outcomeOf(payment) === 'paid'

/** Enough money in time, with too few confirmations. */
const isCovered = (payment: Payment): boolean => outcomeOf(payment) === 'pending' && seenOfDue(payment) >= payment.least

/** Enough money, confirmed but too late, which the merchant has neither accepted nor returned. */
const isPaidLate = (payment: Payment): boolean =>
  outcomeOf(payment) === 'failed' &&
  add(payment.received, payment.late) >= payment.least &&
  availableOf(payment) >= payment.least &&
  !(payment.mode === 'deposit' && payment.lateReturned)

const hasMoney = (payment: Payment): boolean => receivedOf(payment) > 0n

/** Whether the transfer came after the end of its payment. */
export const isAfterEnd = ({ windowEndsAtMs }: Payment, { isLate, blockTimeMs }: StoredTransfer): boolean =>
  isLate || blockTimeMs > windowEndsAtMs

/** Whether a paid payment would be underpaid without its late transfers. */
const neededLateMoney = ({ payment, countedAfterEnd }: InvoicePayment): boolean =>
  payment.seen - countedAfterEnd < payment.least

/** How far a payment has come. The most advanced payment decides, so money of different tokens is never added up. */
function rankOf(payment: Payment): number {
  if (isPaid(payment)) return 4
  if (isCovered(payment)) return 3
  if (isPaidLate(payment)) return 2
  return hasMoney(payment) ? 1 : 0
}

/** The share received, in ten-thousandths of the amount due, to compare payments in different tokens. */
const shareOf = (payment: Payment): bigint => (receivedOf(payment) * 10_000n) / payment.due

/** The payment that decides. Of equals it is the newest, which the customer opened last. */
function deciderOf(payments: readonly InvoicePayment[]): InvoicePayment | null {
  const [first = null] = payments.toSorted((a, b) => {
    const byRank = rankOf(b.payment) - rankOf(a.payment)
    if (byRank !== 0) return byRank
    const byShare = shareOf(b.payment) - shareOf(a.payment)
    if (byShare !== 0n) return byShare > 0n ? 1 : -1
    return b.payment.createdAtMs - a.payment.createdAtMs
  })
  return first
}

/** When the invoice stops taking money: its link has expired, and so has the last payment of the link. */
export const expirationMs = ({ link, payments }: Pick<InvoiceFacts, 'link' | 'payments'>): number =>
  Math.max(link.expiresAtMs ?? 0, ...payments.map(({ payment }) => payment.expiresAtMs))

/**
 * The status of an invoice in BTCPay's words. It is computed from the link's payments at each read and never stored. A shop
 * ships at `Settled` or `PaidLate`, and cancels at `Expired` or `Invalid`: so an invoice never fails while the merchant has
 * its money, and is never settled by money that a reorg took away.
 */
export function stateOf({ link, payments, marked, wasSettled }: InvoiceFacts, nowMs: number): InvoiceState {
  const decider = deciderOf(payments)
  const payment = decider?.payment
  const others = payments.filter((one) => one !== decider)
  const isEnough = payment !== undefined && rankOf(payment) >= 2
  const isOver = isEnough && (receivedOf(payment) > payment.due || others.some((one) => rankOf(one.payment) >= 2))
  const isPartial = !isEnough && payments.some((one) => hasMoney(one.payment))
  const state = (status: InvoiceStatus, additional: AdditionalStatus): InvoiceState => ({
    status,
    additional,
    isOver,
    isPartial,
    decider,
  })
  const over = isOver ? 'PaidOver' : 'None'
  const paid = payment && isPaid(payment) ? decider : null
  // Money that arrives after the invoice was marked as invalid still belongs to the merchant.
  const isMarkOver = marked?.as === 'Invalid' && paid !== null && (paid.payment.confirmedAtMs ?? 0) > marked.atMs
  if (marked && !isMarkOver) return state(marked.as, 'Marked')
  if (paid) return state('Settled', neededLateMoney(paid) ? 'PaidLate' : over)
  if (payment && isCovered(payment)) return state('Processing', over)
  if (wasSettled) return state('Invalid', 'None')
  const isOpen = link.endedAtMs === null && (link.expiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs
  const isAnyPending = payments.some((one) => outcomeOf(one.payment) === 'pending')
  if (isOpen || isAnyPending) return state('New', isPartial ? 'PaidPartial' : 'None')
  if (payment && isPaidLate(payment)) return state('Expired', 'PaidLate')
  return state('Expired', isPartial ? 'PaidPartial' : 'None')
}

/** The statuses that a person may set, as in BTCPay. */
export function marksOf({ status }: InvoiceState): readonly MarkStatus[] {
  if (status === 'New' || status === 'Processing') return markStatuses
  return status === 'Settled' ? ['Invalid'] : ['Settled']
}
