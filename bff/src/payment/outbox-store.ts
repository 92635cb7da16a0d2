import { sql, type Tx } from '../db/db.ts'
import type { WebhookEventType } from './event.ts'
import type { MerchantId, Payment, PaymentId } from './payment.ts'

/** The payout worker pulls these rows; a payment has one sweep at the most. A sweep that was queued before keeps its failures. */
export async function enqueueSweep(tx: Tx, payment: Payment, atMs: number): Promise<void> {
  await tx.run(sql`
      insert into payouts (payment_id, kind, network, token, state, due_at_ms)
      values (${payment.id}, 'sweep', ${payment.network}, ${payment.tokenAddress}, 'queued', ${atMs})
      on conflict (payment_id, kind, network, token) do update
         set state = 'queued', due_at_ms = excluded.due_at_ms, transaction_id = null`)
}

export async function removeSweep(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from payouts where payment_id = ${id} and kind = 'sweep'`)
}

/** The payout worker pulls these rows; a payment has one refund at the most. */
export async function enqueueRefund(tx: Tx, payment: Payment, atMs: number): Promise<void> {
  await tx.run(sql`
      insert into payouts (payment_id, kind, network, token, state, due_at_ms)
      values (${payment.id}, 'refund', ${payment.network}, ${payment.tokenAddress}, 'queued', ${atMs})
      on conflict (payment_id, kind, network, token) do update
         set state = 'queued', due_at_ms = excluded.due_at_ms, failures = 0, transaction_id = null`)
}

export async function removeRefund(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from payouts where payment_id = ${id} and kind = 'refund'`)
}

/** The bytes that are posted. */
export function eventBody(type: string, atMs: number, data: Record<string, unknown>): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data })
}

/**
 * Stores an event and a delivery to everyone who is to be told of it: the payment's callbackUrl, and the merchant's endpoints.
 * The body is frozen here, except that nobody's `payment.created` is not stored (see the migration): most creates tell
 * nobody, and it would be half of what they write.
 */
export async function tellMerchant(
  tx: Tx,
  payment: Payment,
  type: WebhookEventType,
  describe: (payment: Payment) => Record<string, unknown>,
  atMs: number,
): Promise<void> {
  const { id, merchantId, isTest, sequence, callbackUrl } = payment
  const endpoints = await endpointsFor(tx, merchantId, isTest, type)
  if (type === 'payment.created' && callbackUrl === null && endpoints.length === 0) {
    await tx.run(sql`
        insert into events (merchant_id, is_test, payment_id, sequence, type, created_at_ms)
        values (${merchantId}, ${isTest ? 1 : 0}, ${id}, ${sequence}, ${type}, ${atMs})`)
    return
  }
  const body = eventBody(type, atMs, describe(payment))
  const event: NewEvent = { merchantId, isTest, paymentId: id, sequence, type, atMs }
  const number = await insertEvent(tx, event, body)
  if (callbackUrl !== null) await insertDelivery(tx, number, event, callbackTarget(merchantId, callbackUrl), atMs)
  for (const target of endpoints) await insertDelivery(tx, number, event, target, atMs)
}

export type NewEvent = {
  merchantId: MerchantId
  isTest: boolean
  /** Null for an event that was only made to try an endpoint. */
  paymentId: PaymentId | null
  sequence: number
  type: string
  atMs: number
}

/** Where an event goes. `endpointId` is null for a payment's callbackUrl. */
export type Target = { endpointId: string | null; url: string; lane: string }

/** One merchant's broken receiver must not hold up another's at the same host. */
function callbackTarget(merchantId: MerchantId, url: string): Target {
  const origin = URL.canParse(url) ? new URL(url).origin : url
  return { endpointId: null, url, lane: `${merchantId} ${origin}` }
}

/** An endpoint waits for nobody but itself. */
export const endpointTarget = (id: string, url: string): Target => ({ endpointId: id, url, lane: id })

/** @returns its number: events are numbered in the order of their commits. */
export async function insertEvent(tx: Tx, event: NewEvent, body: string): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      insert into events (merchant_id, is_test, payment_id, sequence, type, body, created_at_ms)
      values (${event.merchantId}, ${event.isTest ? 1 : 0}, ${event.paymentId}, ${event.sequence}, ${event.type}, ${body},
              ${event.atMs})
      returning number`)
  if (!row) throw new Error('The event has no number')
  return row.number
}

/** The dispatcher pulls these rows. One that is there already is made due once more. @returns its number. */
export async function insertDelivery(
  tx: Tx,
  eventNumber: number,
  { merchantId, isTest, paymentId, sequence, type }: Omit<NewEvent, 'atMs'>,
  { endpointId, url, lane }: Target,
  dueAtMs: number,
): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      insert into deliveries (event_number, merchant_id, is_test, payment_id, sequence, type, endpoint_id, url, lane, state,
                              due_at_ms, created_at_ms)
      values (${eventNumber}, ${merchantId}, ${isTest ? 1 : 0}, ${paymentId}, ${sequence}, ${type}, ${endpointId}, ${url},
              ${lane}, 'due', ${dueAtMs}, ${dueAtMs})
      on conflict (event_number, lane) do update
         set state = 'due', tries = 0, due_at_ms = excluded.due_at_ms, url = excluded.url, done_at_ms = null
      returning number`)
  if (!row) throw new Error('The delivery has no number')
  return row.number
}

/** A payout that keeps failing: customers read that the merchant is being contacted, so every endpoint is, whatever it asked for. */
const toEveryEndpoint: string = 'deposit.sweep_failed' satisfies WebhookEventType

/** Endpoints of the merchant that want to hear of it, or have to. */
async function endpointsFor(tx: Tx, merchantId: MerchantId, isTest: boolean, type: string): Promise<Target[]> {
  // The types are not looked at in SQL: `like` with a value compiles the statement anew each time.
  const rows = await tx.all<{ id: string; url: string; types: string | null }>(sql`
      select id, url, types from webhook_endpoints
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and disabled_reason is null`)
  return rows
    .filter(({ types }) => types === null || type === toEveryEndpoint || (JSON.parse(types) as string[]).includes(type))
    .map(({ id, url }) => endpointTarget(id, url))
}
