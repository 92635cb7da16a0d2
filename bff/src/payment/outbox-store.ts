import { sql, type Tx } from '../db/db.ts'
import type { WebhookEventType } from './event.ts'
import type { Payment, PaymentId } from './payment.ts'

/** The sweeper pulls these rows; a payment has one at the most. */
export async function enqueueSweep(tx: Tx, payment: Payment, atMs: number): Promise<void> {
  await tx.run(sql`
      insert into sweeps (payment_id, network, state, due_at_ms)
      values (${payment.id}, ${payment.network}, 'queued', ${atMs})
      on conflict (payment_id) do update set state = 'queued', due_at_ms = excluded.due_at_ms, transaction_id = null`)
}

export async function removeSweep(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from sweeps where payment_id = ${id}`)
}

/**
 * The dispatcher pulls these rows. The body is frozen here: every attempt sends the same bytes.
 * The id is made of payment and sequence, so that it is unique without chance and readable in a log.
 */
export async function enqueueDelivery(
  tx: Tx,
  payment: Payment,
  url: string,
  type: WebhookEventType,
  data: Record<string, unknown>,
  atMs: number,
): Promise<void> {
  const body = JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data })
  await tx.run(sql`
      insert into deliveries (id, payment_id, sequence, merchant_id, type, url, body, state, due_at_ms, created_at_ms)
      values (${`msg_${payment.id}_${payment.sequence}`}, ${payment.id}, ${payment.sequence}, ${payment.merchantId},
              ${type}, ${url}, ${body}, 'due', ${atMs}, ${atMs})`)
}
