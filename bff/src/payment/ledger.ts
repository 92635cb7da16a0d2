import type { Log } from '../core/log.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Effect, PaymentEvent } from './event.ts'
import { createMerchantRefundLedger } from './merchant-refund-ledger.ts'
import type { Payment, PaymentId } from './payment.ts'
import {
  type DescribePayment,
  emitEvent,
  endpointsFor,
  enqueuePayout,
  removePayout,
  type Target,
} from './store/outbox-store.ts'
import { insertPayment, loadPayment, savePayment } from './store/payment-store.ts'
import { countCreated, moveSums } from './store/sums-store.ts'
import {
  findTransfer,
  loadNewestOther,
  ownTransfer,
  saveTransfer,
  transfersElsewhere,
  transfersIn,
} from './store/transfer-store.ts'
import { saveUnmatched } from './store/unmatched-store.ts'
import { transition } from './transition.ts'

/** The only writer of payment state: a state and its effects are stored in one commit. */
export type Ledger = ReturnType<typeof createLedger>

/** Called for every change of a payment, after its commit. */
export type ObserveTransition = (payment: Payment, event: PaymentEvent) => void

type TransferEvent = Extract<PaymentEvent, { type: 'transfer.seen' | 'transfer.confirmed' }>
type BridgeEvent = Extract<PaymentEvent, { type: 'bridge.moved' }>

export function createLedger(db: Db, describe: DescribePayment, observe?: ObserveTransition) {
  const merchantRefunds = createMerchantRefundLedger(describe, applyIn)

  /**
   * Runs in the caller's unit of work, so that a watcher's pass is one commit. The id of a transfer event may be that of a merchant refund.
   * @returns undefined when there is no such payment.
   */
  async function applyIn(tx: Tx, id: PaymentId, event: PaymentEvent): Promise<Payment | undefined> {
    if (event.type === 'transfer.seen' || event.type === 'transfer.confirmed') await revertElsewhere(tx, id, event)
    // In parallel, because on PostgreSQL every unit that shares the commit waits for each round trip.
    const transfer = 'transfer' in event ? event.transfer : undefined
    const [payment, found, newestOther] = await Promise.all([
      loadPayment(tx, id),
      transfer && findTransfer(tx, transfer),
      transfer && loadNewestOther(tx, id, transfer),
    ])
    if (!payment) {
      if ('transfer' in event) await merchantRefunds.applyIn(tx, id, event)
      return undefined
    }
    const known =
      event.type === 'bridge.moved' ? await deliveredTo(tx, payment, event) : found && ownTransfer(id, found)
    const step = transition(payment, event, known, newestOther)
    if (step.payment === payment) return payment
    if (step.transfer) await saveTransfer(tx, id, step.transfer)
    await saveUnmatched(tx, payment, step.payment)
    const next = await storeEffects(tx, step.payment, step.effects, event.atMs)
    await savePayment(tx, next)
    await moveSums(tx, payment, next)
    if (observe) tx.afterCommit(() => observe(next, event))
    tx.notify(id)
    return next
  }

  /** A canonical transfer to the payment in the transaction by which the relay says it delivered. */
  async function deliveredTo(tx: Tx, { id, network }: Payment, { report }: BridgeEvent) {
    if (report.destinationTxId === null) return undefined
    const ofTransaction = await transfersIn(tx, network, report.destinationTxId)
    return ofTransaction.find(({ paymentId }) => paymentId === id)
  }

  /** A transaction is in one block only: reverts its transfers in other blocks. */
  async function revertElsewhere(tx: Tx, id: PaymentId, { transfer, atMs }: TransferEvent): Promise<void> {
    for (const other of await transfersElsewhere(tx, id, transfer))
      await applyIn(tx, id, { type: 'transfer.reverted', transfer: other, arriving: transfer.amount, atMs })
  }

  /** Stores the effects as rows that other workers pull. */
  async function storeEffects(tx: Tx, payment: Payment, effects: Effect[], atMs: number): Promise<Payment> {
    let current = payment
    const { id, isTest, network, tokenAddress: token } = payment
    for (const effect of effects) {
      switch (effect.type) {
        case 'queue-sweep':
          // A test payment has no real money; the sandbox decides the result of its payouts.
          if (!isTest) enqueuePayout(tx, id, { kind: 'sweep', network, token }, atMs)
          break
        case 'cancel-sweep':
          removePayout(tx, id, { kind: 'sweep', network, token })
          break
        case 'queue-refund':
          if (!isTest) enqueuePayout(tx, id, { kind: 'refund', network, token }, atMs)
          break
        case 'cancel-refund':
          removePayout(tx, id, { kind: 'refund', network, token })
          break
        case 'queue-return':
          enqueuePayout(tx, id, { kind: 'return', network: effect.network, token: effect.token }, atMs)
          break
        case 'cancel-return':
          removePayout(tx, id, { kind: 'return', network: effect.network, token: effect.token })
          break
        case 'emit':
          current = { ...current, sequence: current.sequence + 1 }
          await emitEvent(tx, current, effect.event, describe, atMs)
          break
        default:
          effect satisfies never
      }
    }
    return current
  }

  return {
    applyIn,
    merchantRefunds,
    /** Applies one event in one commit. @returns undefined when there is no such payment. */
    apply: (id: PaymentId, event: PaymentEvent) => db.write((tx) => applyIn(tx, id, event)),
    /** Starts the reads of `createIn` early, so that a unit with other reads waits only once. */
    createdReceivers: (tx: Tx, payment: Payment) => endpointsFor(tx, payment, 'payment.created'),
    /** Stores a new payment and its event `payment.created`. @returns the payment as stored. */
    async createIn(tx: Tx, payment: Payment, receivers?: readonly Target[]): Promise<Payment> {
      const created: Payment = { ...payment, sequence: payment.sequence + 1 }
      await insertPayment(tx, created)
      countCreated(tx, created)
      await emitEvent(tx, created, 'payment.created', describe, payment.createdAtMs, receivers)
      return created
    },
  }
}

/** Logs each change of a payment, as an error if money waits for a person. */
export function logTransition(
  log: Log,
  { id: paymentId, merchantId, network, status }: Payment,
  event: PaymentEvent,
): void {
  const fields = { paymentId, network, event: event.type, status }
  if (event.type === 'sweep.failed' && event.isGivenUp) {
    log.error({ ...fields, merchantId }, 'The payout to the merchant keeps failing; check its reason and resolve it')
  } else log.info(fields, 'Payment changed')
}
