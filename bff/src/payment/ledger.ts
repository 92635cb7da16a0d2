import type { Db, Tx } from '../db/db.ts'
import type { Effect, PaymentEvent } from './event.ts'
import { enqueueRefund, enqueueSweep, removeRefund, removeSweep, tellMerchant } from './outbox-store.ts'
import type { Payment, PaymentId } from './payment.ts'
import {
  insertPayment,
  loadNewestOther,
  loadPayment,
  loadTransfer,
  savePayment,
  saveTransfer,
} from './payment-store.ts'
import { transition } from './transition.ts'
import { enqueueStrayRefund, removeStrayRefund, saveStrays } from './unmatched-store.ts'

/** Makes the body of a webhook; handed in because it needs the configured networks. */
export type DescribePayment = (payment: Payment) => Record<string, unknown>

/** The only writer of payment state: state and everything owed for it commit together or not at all. */
export type Ledger = ReturnType<typeof createLedger>

/** Told of a payment's every move, after it is durable. */
export type ObserveMove = (payment: Payment, event: PaymentEvent) => void

export function createLedger(db: Db, describe: DescribePayment, observe?: ObserveMove) {
  /** Inside a unit of work of the caller, so that a watcher's pass is one commit. @returns undefined: no such payment. */
  async function applyIn(tx: Tx, id: PaymentId, event: PaymentEvent): Promise<Payment | undefined> {
    const payment = await loadPayment(tx, id)
    if (!payment) return undefined
    const known = 'transfer' in event ? await loadTransfer(tx, id, event.transfer) : undefined
    const newestOther = 'transfer' in event ? await loadNewestOther(tx, id, event.transfer) : undefined
    const step = transition(payment, event, known, newestOther)
    if (step.payment === payment) return payment
    if (step.transfer) await saveTransfer(tx, id, step.transfer)
    await saveStrays(tx, payment, step.payment)
    const next = await oweEffects(tx, step.payment, step.effects, event.atMs)
    await savePayment(tx, next)
    if (observe) tx.afterCommit(() => observe(next, event))
    return next
  }

  /** The effects become rows that the next stages pull. */
  async function oweEffects(tx: Tx, payment: Payment, effects: Effect[], atMs: number): Promise<Payment> {
    let current = payment
    for (const effect of effects) {
      switch (effect.type) {
        case 'queue-sweep':
          // Nothing real is there to be forwarded; the sandbox says how the payout of a test payment goes.
          if (!current.isTest) await enqueueSweep(tx, current, atMs)
          break
        case 'cancel-sweep':
          await removeSweep(tx, current.id)
          break
        case 'queue-refund':
          if (!current.isTest) await enqueueRefund(tx, current, atMs)
          break
        case 'cancel-refund':
          await removeRefund(tx, current.id)
          break
        case 'queue-stray-refund':
          await enqueueStrayRefund(tx, current.id, effect, atMs)
          break
        case 'cancel-stray-refund':
          await removeStrayRefund(tx, current.id, effect)
          break
        case 'tell':
          current = { ...current, sequence: current.sequence + 1 }
          await tellMerchant(tx, current, effect.event, describe, atMs)
          break
        default:
          effect satisfies never
      }
    }
    return current
  }

  return {
    applyIn,
    /** One event, one commit. @returns undefined when there is no such payment. */
    apply: (id: PaymentId, event: PaymentEvent) => db.write((tx) => applyIn(tx, id, event)),
    /** Stores a new payment with the news of it. @returns the payment as stored. */
    async createIn(tx: Tx, payment: Payment): Promise<Payment> {
      const created: Payment = { ...payment, sequence: payment.sequence + 1 }
      await insertPayment(tx, created)
      await tellMerchant(tx, created, 'payment.created', describe, payment.createdAtMs)
      return created
    },
  }
}
