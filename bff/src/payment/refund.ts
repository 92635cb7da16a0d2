import { add, type BaseUnits, excess, zero } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import {
  availableOf,
  countedOf,
  type DepositPayment,
  isSwept,
  outcomeOf,
  type Payment,
  refundableOf,
} from './payment.ts'

/**
 * What the operator can send back now, by the rules of the deposit's contract (`DepositForwarder._refundableDue`), from
 * confirmed money alone. A paid deposit's excess goes back after its sweep. Of a failed one everything goes back while it
 * is less than what is accepted as payment; from there on the amount due is kept for the merchant, and only the excess goes back
 * by itself. On Solana, where no contract forbids it, the same rules hold until the merchant gives the whole amount back.
 */
export function planRefund(payment: Payment): BaseUnits {
  if (payment.mode !== 'deposit') return zero
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

/** The whole amount is there, came too late, and the merchant has neither taken it nor given it back. */
export const isLateHeld = (payment: DepositPayment): boolean =>
  outcomeOf(payment) === 'failed' && !payment.lateReturned && refundableOf(payment) >= payment.least

/**
 * Why the merchant cannot take what came too late as the payment. `open`: it can still be paid, or counts already.
 * `refunding`: a part of it is on its way back. `short`: less than what is accepted is there.
 */
export type LateRefusal = 'paid' | 'open' | 'refunding' | 'short'

/** Undefined when the whole amount is there, the payment has failed, and nothing of it is on its way back. */
export function lateRefusalOf(payment: Payment): LateRefusal | undefined {
  const outcome = outcomeOf(payment)
  if (outcome === 'paid') return 'paid'
  if (outcome === 'pending') return 'open'
  if (availableOf(payment) >= payment.least) return undefined
  const refunding = payment.mode === 'deposit' ? payment.refunding : (0n as BaseUnits)
  return add(availableOf(payment), refunding) >= payment.least ? 'refunding' : 'short'
}

/** With it, what came late counts; undefined when that would not make the payment paid. */
export function acceptLate(payment: Payment): Payment | undefined {
  if (payment.lateTaken || lateRefusalOf(payment) !== undefined) return undefined
  const accepted: Payment = { ...payment, lateTaken: true }
  return countedOf(accepted) >= accepted.least ? accepted : undefined
}

/** What was refunded is owed again. @returns undefined when nothing has changed. */
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

/** The payment shows the transaction that has paid. @returns undefined when it does, or shows a later refund. */
export function replaceRefund(
  payment: Payment,
  { txId, txIds }: Extract<PaymentEvent, { type: 'refund.replaced' }>,
): Payment | undefined {
  if (payment.mode !== 'deposit' || payment.refundTxId === null || payment.refundTxId === txId) return undefined
  return txIds.includes(payment.refundTxId) ? { ...payment, refundTxId: txId } : undefined
}

/**
 * `held`: the whole amount came too late, and only the merchant can take it or return it. `waiting`: the merchant's part goes first.
 * `delayed` is retried soon, `failed` hourly, and then a person is needed.
 */
export const refundStates = ['address_needed', 'waiting', 'sending', 'delayed', 'failed', 'held', 'refunded'] as const
export type RefundState = (typeof refundStates)[number]

/** Undefined when nothing is owed and nothing was sent back. */
export function refundStateOf(payment: Payment): RefundState | undefined {
  if (payment.mode !== 'deposit') return undefined
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

/** For a person. */
export const refundMessages: Record<RefundState, string> = {
  address_needed: 'Money is owed back: say to which address.',
  waiting: 'The money goes back when the payout to the merchant is done.',
  sending: 'The money is on its way back.',
  delayed: 'Sending the money back takes longer than usual and is being retried.',
  failed: 'The money could not be sent back yet. The merchant has to look at it.',
  held: 'The whole amount arrived too late. It waits for the merchant, who takes it or returns it.',
  refunded: 'The money was sent back.',
}
