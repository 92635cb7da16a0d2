import type { BaseUnits } from '../core/money.ts'
import type { WebhookEventType } from '../core/record-codes.ts'
import type { Tx } from '../db/db.ts'
import type { PaymentEvent } from './event.ts'
import {
  describeMerchantRefund,
  type MerchantRefund,
  type MerchantRefundEvent,
  moveMerchantRefund,
} from './merchant-refund.ts'
import type { Payment, PaymentId } from './payment.ts'
import { withMerchantRefunds } from './refund.ts'
import {
  insertMerchantRefund,
  loadMerchantRefund,
  paysWalletPayment,
  refundSumsOf,
  saveMerchantRefund,
} from './store/merchant-refund-store.ts'
import { type DescribePayment, emitEvent } from './store/outbox-store.ts'
import { loadPayment, savePayment } from './store/payment-store.ts'
import { moveSums } from './store/sums-store.ts'
import { findTransfer, loadNewestOther, saveTransfer } from './store/transfer-store.ts'

type ApplyToPayment = (tx: Tx, id: PaymentId, event: PaymentEvent) => Promise<unknown>

/** The part of the ledger that writes merchant refunds, and their sums at the payment, in the caller's unit of work. */
export function createMerchantRefundLedger(describe: DescribePayment, applyToPayment: ApplyToPayment) {
  /**
   * The transfer as stored for the refund. `isTaken`: it pays something else. One transfer never pays twice, and the
   * money of a customer's payment is no refund, whoever receives it.
   */
  async function storedTransfer(tx: Tx, refund: MerchantRefund, event: MerchantRefundEvent) {
    if (!('transfer' in event)) return { known: undefined, isTaken: false }
    const found = await findTransfer(tx, event.transfer)
    const own = (found?.paymentId as string | undefined) === refund.id ? found : undefined
    if (own) return { known: own, isTaken: false }
    const isTaken = (found !== undefined && found.state !== 'reverted') || event.type === 'transfer.reverted'
    return { known: undefined, isTaken: isTaken || (await paysWalletPayment(tx, refund.network, event.transfer.txId)) }
  }

  /** @returns undefined when there is no such refund. */
  async function applyIn(tx: Tx, id: string, event: MerchantRefundEvent): Promise<MerchantRefund | undefined> {
    const refund = await loadMerchantRefund(tx, id)
    if (!refund) return undefined
    const { known, isTaken } = await storedTransfer(tx, refund, event)
    if (isTaken) return refund
    const payee = refund.id as string as PaymentId
    const newestOther = 'transfer' in event ? await loadNewestOther(tx, payee, event.transfer) : undefined
    const step = moveMerchantRefund(refund, event, known, newestOther)
    if (step.refund === refund) return refund
    if (step.transfer) await saveTransfer(tx, payee, step.transfer)
    saveMerchantRefund(tx, step.refund)
    await savePaymentSums(tx, step.refund, step.events, event.atMs)
    return step.refund
  }

  /** Stores the sums at the payment and the webhook events, which carry the payment and the refund. */
  async function savePaymentSums(tx: Tx, refund: MerchantRefund, events: readonly WebhookEventType[], atMs: number) {
    const payment = await loadPayment(tx, refund.paymentId)
    if (!payment) throw new Error(`There is no payment ${refund.paymentId}.`)
    const { paid, open } = await refundSumsOf(tx, payment.id)
    const sums = { paid: paid as BaseUnits, open: open as BaseUnits }
    let next: Payment = { ...withMerchantRefunds(payment, sums), version: payment.version + 1 }
    const described = (of: Payment) => ({ ...describe(of), merchantRefund: describeMerchantRefund(refund) })
    for (const type of events) {
      next = { ...next, sequence: next.sequence + 1 }
      await emitEvent(tx, next, type, described, atMs)
    }
    await savePayment(tx, next)
    await moveSums(tx, payment, next)
    tx.notify(payment.id)
    await applyToPayment(tx, payment.id, { type: 'merchant_refunds.changed', atMs })
  }

  return {
    applyIn,
    /** Stores a new refund and its event `refund.requested`. The caller has checked the amount in the same unit. */
    async createIn(
      tx: Tx,
      refund: MerchantRefund,
      request: { key: string | null; terms: string },
    ): Promise<MerchantRefund> {
      insertMerchantRefund(tx, refund, request)
      await savePaymentSums(tx, refund, ['refund.requested'], refund.createdAtMs)
      return refund
    },
  }
}
