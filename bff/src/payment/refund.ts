import { type BaseUnits, excess, zero } from '../money.ts'
import { type DepositPayment, isSwept, outcomeOf, owedOf, type Payment } from './payment.ts'

/**
 * What the operator can send back now, by the rules of the deposit's contract (`DepositForwarder._refundableDue`), from
 * confirmed money alone. A paid deposit's excess goes back after its sweep. Of a failed one everything goes back while it
 * is less than what is accepted as payment; from there on the amount due is the merchant's on chain, and only the excess can.
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
      return owed < payment.least || !isHeldByContract(payment) ? owed : excess(owed, payment.due)
    default:
      return outcome satisfies never
  }
}

/** A forwarder's address is of Ethereum; on Solana only our own key moves the money, and all of it may go back. */
const isHeldByContract = ({ depositAddress }: DepositPayment): boolean => depositAddress.startsWith('0x')

/**
 * `held`: the whole amount came too late, and only the merchant can return it. `waiting`: the merchant's part goes first.
 * `delayed` is tried again soon, `failed` hourly, and a person should look.
 */
export type RefundState = 'address_needed' | 'waiting' | 'sending' | 'delayed' | 'failed' | 'held' | 'refunded'

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
  held: 'The whole amount arrived too late. On chain it can only go to the merchant, who owes it back.',
  refunded: 'The money was sent back.',
}
