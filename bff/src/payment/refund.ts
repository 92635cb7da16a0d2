import { add, type BaseUnits, excess, larger, smaller, zero } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import { type DepositPayment, isDirect, isSwept, outcomeOf, type Payment } from './payment.ts'
import { availableOf, countedOf, refundableOf, refundingOf, settledOf } from './payment-sums.ts'

/**
 * The amount that the operator can refund now from confirmed money, by the rules of the deposit's contract
 * (`DepositForwarder._refundableDue`). The excess of a paid deposit is refundable after its sweep. A failed
 * deposit is refunded in full while it holds less than the accepted minimum; otherwise the amount due is kept
 * for the merchant and only the excess is refunded automatically. Solana has no such contract, but the same
 * rules apply until the merchant returns the full amount.
 */
export function planRefund(payment: Payment): BaseUnits {
  if (payment.mode !== 'deposit' || payment.isDirect) return zero
  const refundable = refundableOf(payment)
  const outcome = outcomeOf(payment)
  switch (outcome) {
    case 'pending':
      return zero
    case 'paid':
      return isSwept(payment) ? refundable : zero
    case 'failed':
      return isLateHeld(payment) ? excess(refundable, payment.due) : refundable
    default:
      return outcome satisfies never
  }
}

/** The next sum to go back. While the merchant can still accept late money, only the excess goes back, if there is any. */
export const nextRefundOf = (payment: Payment): BaseUnits => {
  const planned = planRefund(payment)
  return planned > 0n ? planned : refundableOf(payment)
}

/** The full amount arrived late, and the merchant has neither accepted nor returned it. */
export const isLateHeld = (payment: DepositPayment): boolean =>
  outcomeOf(payment) === 'failed' && !payment.lateReturned && refundableOf(payment) >= payment.least

/**
 * Why the merchant cannot accept late money. `open`: the payment is still open. `refunding`: a refund is in
 * progress. `short`: less than the accepted minimum arrived.
 */
export type LateRefusal = 'paid' | 'open' | 'refunding' | 'short'

/** Undefined when the payment has failed, the full amount is there, and no refund is in progress. */
export function lateRefusalOf(payment: Payment): LateRefusal | undefined {
  const outcome = outcomeOf(payment)
  if (outcome === 'paid') return 'paid'
  if (outcome === 'pending') return 'open'
  if (availableOf(payment) >= payment.least) return undefined
  return add(availableOf(payment), refundingOf(payment)) >= payment.least ? 'refunding' : 'short'
}

/**
 * The payment with the sums of its merchant refunds. How much of them is of the amount due is decided when they change while the payment
 * is paid, not by what a reorg takes later: the merchant accepted it then.
 */
export function withMerchantRefunds(payment: Payment, { paid, open }: { paid: BaseUnits; open: BaseUnits }): Payment {
  const before = add(payment.refundedByMerchant, payment.refundDueByMerchant)
  const after = add(paid, open)
  // What was paid of the amount due stays so, whatever comes, is requested and cancelled later.
  const known = smaller(payment.confirmedOfDue, paid)
  const refundedOfDue =
    after === before ? payment.refundedOfDue : larger(known, refundedOfDueOf(payment, before, after))
  // Of open refunds, those of the excess are paid first.
  const confirmedOfDue = larger(known, excess(refundedOfDue, open))
  return { ...payment, refundedByMerchant: paid, refundDueByMerchant: open, refundedOfDue, confirmedOfDue }
}

function refundedOfDueOf(payment: Payment, before: BaseUnits, after: BaseUnits): BaseUnits {
  const { received, late, refundedOfDue } = payment
  // Refunds come out of the excess first, so a cancelled one lowers the part of the amount due first.
  if (!isDirect(payment) || outcomeOf(payment) !== 'paid') return excess(refundedOfDue, excess(before, after))
  const over = excess(add(received, late), settledOf(payment))
  const ofDue = excess(after, over)
  return smaller(ofDue, add(refundedOfDue, excess(ofDue, excess(before, over))))
}

/** Counts late money; undefined when that would not make the payment paid. */
export function acceptLate(payment: Payment): Payment | undefined {
  if (payment.lateTaken || lateRefusalOf(payment) !== undefined) return undefined
  const accepted: Payment = { ...payment, lateTaken: true }
  return countedOf(accepted) >= accepted.least ? accepted : undefined
}

/** The refunded amount is due again. @returns undefined when nothing has changed. */
export function undoRefund(
  payment: Payment,
  { amount, txIds }: Extract<PaymentEvent, { type: 'refund.undone' }>,
): Payment | undefined {
  if (payment.mode !== 'deposit') return undefined
  const isNewest = payment.refundTxId !== null && txIds.includes(payment.refundTxId)
  const refundTxId = isNewest ? null : payment.refundTxId
  return { ...payment, refunded: excess(payment.refunded, amount), refundTxId }
}

/** @returns undefined when nothing has changed. */
export function failRefund(
  payment: Payment,
  { isGivenUp }: Extract<PaymentEvent, { type: 'refund.failed' }>,
): Payment | undefined {
  if (payment.mode !== 'deposit' || payment.refund === 'none') return undefined
  const refund = isGivenUp ? 'failed' : 'failing'
  return payment.refund === refund ? undefined : { ...payment, refund }
}

/** Shows the refund transaction that was mined. @returns undefined when it is shown already, or a later refund is. */
export function replaceRefund(
  payment: Payment,
  { txId, txIds }: Extract<PaymentEvent, { type: 'refund.replaced' }>,
): Payment | undefined {
  if (payment.mode !== 'deposit' || payment.refundTxId === null || payment.refundTxId === txId) return undefined
  return txIds.includes(payment.refundTxId) ? { ...payment, refundTxId: txId } : undefined
}

/**
 * `held`: the full amount arrived late, and only the merchant can accept or return it. `waiting`: the
 * merchant's payout goes first. `delayed` is retried soon. `failed` is retried hourly and requires a person.
 */
export const refundStates = ['address_needed', 'waiting', 'sending', 'delayed', 'failed', 'held', 'refunded'] as const
export type RefundState = (typeof refundStates)[number]

/** Undefined when the service owes no refund and has sent none. */
export function refundStateOf(payment: Payment): RefundState | undefined {
  if (payment.mode !== 'deposit' || payment.isDirect) return undefined
  const outcome = outcomeOf(payment)
  if (refundableOf(payment) === 0n || outcome === 'pending') return payment.refunded > 0n ? 'refunded' : undefined
  if (outcome === 'failed' && planRefund(payment) === 0n) return 'held'
  if (payment.refundAddress === null) return 'address_needed'
  if (outcome === 'paid' && !isSwept(payment)) return 'waiting'
  switch (payment.refund) {
    case 'none':
    case 'queued':
      return 'sending'
    case 'failing':
      return 'delayed'
    case 'failed':
      return 'failed'
    default:
      return payment.refund satisfies never
  }
}

/** Shown to a person. */
export const refundMessages: Record<RefundState, string> = {
  address_needed: 'Money is owed back: name an address for it.',
  waiting: 'The money goes back when the payout to the merchant is done.',
  sending: 'The money is on its way back.',
  delayed: 'Sending the money back takes longer than usual and is being retried.',
  failed: 'The money could not be sent back yet. The merchant needs to act.',
  held: 'The full amount arrived too late. The merchant decides whether to accept or return it.',
  refunded: 'The money was sent back.',
}
