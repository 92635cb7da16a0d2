import { add, type BaseUnits } from '../core/money.ts'
import { countedOf, heldOf, outcomeOf, type Payment } from './payment.ts'

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
  if (heldOf(payment) >= payment.least) return undefined
  const refunding = payment.mode === 'deposit' ? payment.refunding : (0n as BaseUnits)
  return add(heldOf(payment), refunding) >= payment.least ? 'refunding' : 'short'
}

/** With it, what came late counts; undefined when that would not make the payment paid. */
export function takeLate(payment: Payment): Payment | undefined {
  if (payment.lateTaken || lateRefusalOf(payment) !== undefined) return undefined
  const taken: Payment = { ...payment, lateTaken: true }
  return countedOf(taken) >= taken.least ? taken : undefined
}
