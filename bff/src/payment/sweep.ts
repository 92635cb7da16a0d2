import type { Effect, PaymentEvent } from './event.ts'
import { type DepositPayment, isDirect, outcomeOf, type Payment } from './payment.ts'
import { settledOf } from './payment-sums.ts'

type SweepEvent<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { type: Type }>

/**
 * A reorg can move the sweep to another block, where it also pays money that arrived since. When a failed
 * payment is settled externally, its late money counts as accepted: the merchant has it. @returns undefined
 * when nothing has changed.
 */
export function confirmSweep(payment: Payment, event: SweepEvent<'sweep.confirmed'>): Payment | undefined {
  if (payment.mode !== 'deposit' || isDirect(payment)) return undefined
  const { txId: sweepTxId, amount, atMs: sweptAtMs } = event
  if (payment.sweep !== 'confirmed') {
    const lateTaken = payment.lateTaken || outcomeOf(payment) === 'failed'
    const sweptAmount = amount ?? settledOf(payment)
    return { ...payment, sweep: 'confirmed', sweepTxId, sweptAtMs, sweptAmount, lateTaken }
  }
  const isSame = amount === undefined || (amount === payment.sweptAmount && sweepTxId === payment.sweepTxId)
  return isSame ? undefined : { ...payment, sweepTxId, sweptAmount: amount }
}

/**
 * The money is back at the deposit address. A sweep by another transaction stays. @returns undefined when
 * nothing has changed.
 */
export function undoSweep(payment: Payment, { txIds }: SweepEvent<'sweep.undone'>): Payment | undefined {
  if (payment.mode !== 'deposit' || payment.sweep !== 'confirmed') return undefined
  if (payment.sweepTxId === null || !txIds.includes(payment.sweepTxId)) return undefined
  return { ...payment, sweep: 'none', sweepTxId: null, sweptAtMs: null, sweptAmount: null }
}

/** @returns undefined when nothing has changed. */
export function failSweep(payment: Payment, { isGivenUp }: SweepEvent<'sweep.failed'>): Payment | undefined {
  if (payment.mode !== 'deposit') return undefined
  if (payment.sweep !== 'queued' && payment.sweep !== 'failing') return undefined
  const sweep = isGivenUp ? 'failed' : 'failing'
  return payment.sweep === sweep ? undefined : { ...payment, sweep }
}

/**
 * Queues the sweep when the payment is paid, and cancels it when a reorg takes the money back before it is made. A direct deposit has none.
 * Mutates `payment.sweep` and `payment.sweepWaits`.
 */
export function moveSweep(payment: DepositPayment, nowPaid: boolean): Effect[] {
  if (payment.isDirect) return []
  if (nowPaid && payment.sweep === 'none') {
    payment.sweep = 'queued'
    // An earlier sweep was deferred, and this one is due at once.
    payment.sweepWaits = false
    return [{ type: 'queue-sweep' }]
  }
  if (!nowPaid && payment.sweep !== 'none') {
    payment.sweep = 'none'
    return [{ type: 'cancel-sweep' }]
  }
  return []
}

/** When the merchant's money of a deposit has arrived; of a direct one, as soon as it is paid. Null: not yet, or no deposit. */
export function sweptAtMsOf(payment: Payment): number | null {
  if (payment.mode !== 'deposit') return null
  return payment.isDirect ? payment.confirmedAtMs : payment.sweptAtMs
}
