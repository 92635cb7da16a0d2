import { type BaseUnits, excess, zero } from '../core/money.ts'
import { type DepositPayment, isSwept, outcomeOf, owedOf, type Payment } from './payment.ts'

/**
 * What the operator can send back now, by the rules of the deposit's contract (`DepositForwarder._refundableDue`), from
 * confirmed money alone. A paid deposit's excess goes back after its sweep. Of a failed one everything goes back while it
 * is less than what is accepted as payment; from there on the amount due is held for the merchant, and only the excess goes back
 * by itself. On Solana, where no contract forbids it, the same rules hold until the merchant gives the whole amount back.
 */
export function planRefund(payment: Payment): BaseUnits {
  if (payment.mode !== 'deposit') return zero
  const owed = owedOf(payment)
  const outcome = outcomeOf(payment)
  switch (outcome) {
    case 'pending':
      return zero
    case 'paid':
      return isSwept(payment) ? owed : zero
    case 'failed':
      return isLateHeld(payment) ? excess(owed, payment.due) : owed
    default:
      return outcome satisfies never
  }
}

/** The whole amount is there, came too late, and the merchant has neither taken it nor given it back. */
export const isLateHeld = (payment: DepositPayment): boolean =>
  outcomeOf(payment) === 'failed' && !payment.lateReturned && owedOf(payment) >= payment.least

/**
 * `held`: the whole amount came too late, and only the merchant can take it or return it. `waiting`: the merchant's part goes first.
 * `delayed` is tried again soon, `failed` hourly, and a person should look.
 */
export const refundStates = ['address_needed', 'waiting', 'sending', 'delayed', 'failed', 'held', 'refunded'] as const
export type RefundState = (typeof refundStates)[number]

/** Undefined when nothing is owed and nothing was sent back. */
export function refundStateOf(payment: Payment): RefundState | undefined {
  if (payment.mode !== 'deposit') return undefined
  const outcome = outcomeOf(payment)
  if (owedOf(payment) === 0n || outcome === 'pending') return payment.refunded > 0n ? 'refunded' : undefined
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
