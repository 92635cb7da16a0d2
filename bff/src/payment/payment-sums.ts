import { add, type BaseUnits, excess, smaller, zero } from '../core/money.ts'
import { isDirect, isSwept, outcomeOf, type Payment, type PaymentState } from './payment.ts'

/** The sum that counts towards the amount due: money in time, and accepted late money. */
export const countedOf = ({ received, late, lateTaken }: Payment): BaseUnits =>
  lateTaken ? add(received, late) : received

/**
 * The sum available to the merchant: everything received, less refunds that are final or in progress. Refunds by
 * the merchant's wallet are subtracted only while the payment is not paid, and not those of the amount due: a paid payment
 * stays paid, and is paid again when a reorg returns its money.
 */
export function availableOf(payment: Payment): BaseUnits {
  return excess(add(payment.received, payment.late), add(refundedOf(payment), refundingOf(payment)))
}

/** Final refunds that {@link availableOf} subtracts. */
function refundedOf(payment: Payment): BaseUnits {
  if (!isDirect(payment)) return returnedOf(payment)
  return outcomeOf(payment) === 'paid' ? zero : excess(payment.refundedByMerchant, payment.confirmedOfDue)
}

/** Refunds in progress that {@link availableOf} subtracts. */
export function refundingOf(payment: Payment): BaseUnits {
  if (payment.mode === 'deposit' && !payment.isDirect) return payment.refunding
  if (outcomeOf(payment) === 'paid') return zero
  return excess(payment.refundDueByMerchant, excess(payment.refundedOfDue, payment.confirmedOfDue))
}

/** The money seen in time, confirmed or not, less the refunds that exceed the late money. */
export const seenOfDue = (payment: Payment): BaseUnits =>
  excess(payment.seen, excess(add(refundedOf(payment), refundingOf(payment)), payment.late))

/** Money that was refunded does not count: after a refund, a reorg or accepted late money could otherwise make the sum sufficient. */
export function isPaid(payment: Payment): boolean {
  return isSwept(payment) || (countedOf(payment) >= payment.least && availableOf(payment) >= payment.least)
}

/**
 * The share of merchant and platform together: the amount swept or, before the sweep, the confirmed money up
 * to the amount due. Zero while the payment is not paid.
 */
export function settledOf(payment: Payment): BaseUnits {
  if (outcomeOf(payment) !== 'paid') return zero
  const { due, received, late } = payment
  if (isDirect(payment)) {
    // What went back before the payment was paid is no part of it.
    const left = excess(add(received, late), notOfDue(payment))
    return smaller(due, smaller(countedOf(payment), left))
  }
  if (!isSwept(payment)) return smaller(due, availableOf(payment))
  // If the amount of the sweep is not known: late money was not part of it.
  const known = payment.mode === 'deposit' ? payment.sweptAmount : null
  return known ?? smaller(due, countedOf(payment))
}

/** Refunds by the merchant's wallet, final and in progress, that were not of the amount due when they were requested. */
const notOfDue = ({ refundedByMerchant, refundDueByMerchant, refundedOfDue }: Payment): BaseUnits =>
  excess(add(refundedByMerchant, refundDueByMerchant), refundedOfDue)

/** The sum already returned. Only the merchant's wallet refunds a direct payment. */
const returnedOf = (payment: Payment): BaseUnits =>
  payment.mode === 'deposit' && !payment.isDirect ? payment.refunded : payment.refundedByMerchant

/** Refunds by the merchant's wallet of a direct payment, final and in progress, that are not of the amount due. */
export const refundsOfExcess = (payment: Payment): BaseUnits =>
  excess(add(payment.refundedByMerchant, payment.refundDueByMerchant), refundsOfDue(payment).all)

/** The part of {@link returnedOf} that is not of the amount due. */
const returnedExcessOf = (payment: Payment): BaseUnits =>
  isDirect(payment) ? excess(returnedOf(payment), refundsOfDue(payment).paid) : returnedOf(payment)

/**
 * The sum still due for refund. A failed payment: everything. A paid payment: what exceeds the share of
 * merchant and platform. An open payment: late money and what exceeds the amount due.
 */
export function refundableOf(payment: Payment): BaseUnits {
  const { received, late, due, lateTaken } = payment
  const outcome = outcomeOf(payment)
  if (outcome === 'pending') {
    const theirs = add(excess(countedOf(payment), due), lateTaken ? zero : late)
    return excess(theirs, returnedExcessOf(payment))
  }
  // Of a failed payment, the merchant owes what is left of all.
  if (outcome === 'failed') return excess(add(received, late), returnedOf(payment))
  return excess(excess(add(received, late), settledOf(payment)), returnedExcessOf(payment))
}

/**
 * Refunds of the amount due by the merchant's wallet: all, and those that are final. What a wallet paid twice, beyond the amount due, is no
 * part of it: later money is owed less that.
 */
export function refundsOfDue(payment: Payment): { all: BaseUnits; paid: BaseUnits } {
  const { refundedByMerchant, refundDueByMerchant, refundedOfDue, confirmedOfDue } = payment
  if (!isDirect(payment)) return { all: add(refundedByMerchant, refundDueByMerchant), paid: refundedByMerchant }
  const kept = keptOf(payment)
  return { all: smaller(refundedOfDue, kept), paid: smaller(confirmedOfDue, kept) }
}

/**
 * The amount due that merchant and platform have, less refunds of it by the merchant's wallet. Zero while the payment is not paid. Of a direct
 * payment never more than all of its refunds leave: a reorg may have taken the excess that a refund was of.
 */
export function dueKeptOf(payment: Payment): BaseUnits {
  const kept = excess(settledOf(payment), refundsOfDue(payment).all)
  if (!isDirect(payment)) return kept
  const { received, late, refundedByMerchant, refundDueByMerchant } = payment
  return smaller(kept, excess(add(received, late), add(refundedByMerchant, refundDueByMerchant)))
}

/**
 * The part of the counted money that is not refunded: the share of merchant and platform, or the amount due
 * while unpaid.
 */
export const keptOf = (payment: Payment): BaseUnits =>
  outcomeOf(payment) === 'paid' ? settledOf(payment) : payment.due

/** The state of the money. Unconfirmed transfers count as underpayment, not as payment. */
export function paymentStateOf(payment: Payment): PaymentState {
  const outcome = outcomeOf(payment)
  const isOverpaid = countedOf(payment) > keptOf(payment) && refundableOf(payment) > 0n
  if (outcome === 'paid') return isOverpaid ? 'overpaid_refunding' : 'completed'
  if (outcome === 'failed') return payment.received > 0n || payment.late > 0n ? 'expired_refunding' : 'awaiting'
  const isShort = payment.received > 0n || (payment.seen > 0n && seenOfDue(payment) < payment.least)
  return isShort ? 'underpaid' : 'awaiting'
}
