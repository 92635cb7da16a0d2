import { sql, type Tx } from '../db/db.ts'
import { type Attention, attentions } from '../payment/attention.ts'
import type { MerchantId, Payment, PaymentId } from '../payment/payment.ts'
import { loadPayments } from '../payment/store/payment-store.ts'

type Whose = { merchantId: MerchantId; isTest: boolean }

/** Rows of one kind that are counted: a count at this bound means "at least so many". */
const countMax = 1_000

/** The newest payments with each need, at most `limit` of each, and how many there are. */
export async function loadNeeds(
  tx: Tx,
  { merchantId, isTest }: Whose,
  limit: number,
): Promise<{ attention: Attention; count: number; payments: Payment[] }[]> {
  const needs = []
  for (const attention of attentions) {
    const counted = await tx.get<{ count: number }>(sql`
        select count(*) as count
          from (select number from payments
                 where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and attention = ${attention}
                 limit ${countMax}) as waiting`)
    const count = counted?.count ?? 0
    if (count === 0) continue
    const rows = await tx.all<{ id: PaymentId }>(sql`
        select id from payments
         where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and attention = ${attention}
         order by number desc limit ${limit}`)
    const loaded = await loadPayments(
      tx,
      rows.map(({ id }) => id),
    )
    const payments: Payment[] = []
    for (const { id } of rows) {
      // An unreadable row is counted, and does not hide others.
      const payment = await loaded.get(id)?.catch(() => undefined)
      if (payment) payments.push(payment)
    }
    needs.push({ attention, count, payments })
  }
  return needs
}

/** Of the given payments, those with a refund that waits for the customer's address and none that the merchant's wallet can pay now. */
export async function awaitingAddress(tx: Tx, ids: readonly PaymentId[]): Promise<ReadonlySet<PaymentId>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.all<{ paymentId: PaymentId }>(sql`
      select payment_id as "paymentId" from merchant_refunds
       where payment_id in ${ids} and status in ('awaiting_address', 'to_pay')
       group by payment_id having max(status) = 'awaiting_address'`)
  return new Set(rows.map(({ paymentId }) => paymentId))
}

/** Whether the merchant has any payment: a test payment if `isTest`, otherwise a live one. */
export async function hasPayments(tx: Tx, { merchantId, isTest }: Whose): Promise<boolean> {
  const row = await tx.get(sql`
      select number from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} order by created_at_ms limit 1`)
  return row !== undefined
}
