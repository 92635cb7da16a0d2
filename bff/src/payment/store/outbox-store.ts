import type { WebhookEventType } from '../../core/record-codes.ts'
import { sql, type Tx } from '../../db/db.ts'
import { flag, integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId, Payment, PaymentId } from '../payment.ts'

/** A payout of a payment: at most one of each kind for each token of each network. */
type PayoutKey = { kind: 'sweep' | 'refund' | 'return'; network: string; token: string }

/** The payout worker pulls these rows. A sweep that is already queued keeps its failure count; others start at zero. */
export function enqueuePayout(tx: Tx, id: PaymentId, { kind, network, token }: PayoutKey, atMs: number): void {
  const failures = kind === 'sweep' ? sql`payouts.failures` : sql`0`
  tx.write(sql`
      insert into payouts (payment_id, kind, network, token, state, due_at_ms)
      values (${id}, ${kind}, ${network}, ${token}, 'queued', ${atMs})
      on conflict (payment_id, kind, network, token) do update
         set state = 'queued', due_at_ms = excluded.due_at_ms, failures = ${failures}, transaction_id = null`)
}

export function removePayout(tx: Tx, id: PaymentId, { kind, network, token }: PayoutKey): void {
  tx.write(sql`
      delete from payouts
       where payment_id = ${id} and kind = ${kind} and network = ${network} and token = ${token}`)
}

/** Makes the body of a webhook; a parameter because it needs the configured networks. */
export type DescribePayment = (payment: Payment) => Record<string, unknown>

/** The body of a webhook request. */
export function eventBody(type: string, atMs: number, data: Record<string, unknown>): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data })
}

/**
 * Stores a webhook event and its deliveries: to the payment's callbackUrl, and to the merchant's endpoints. The body is stored with the
 * event and never changes. A `payment.created` without a receiver is stored without its body, which would be half of what a create writes;
 * the feed of events makes that body from the payment's initial state.
 * @param known - The merchant's endpoints for the type, if this unit of work has already read them.
 */
export async function emitEvent(
  tx: Tx,
  payment: Payment,
  type: WebhookEventType,
  describe: DescribePayment,
  atMs: number,
  known?: readonly Target[],
): Promise<void> {
  const { id, merchantId, isTest, sequence, callbackUrl } = payment
  const endpoints = known ?? (await endpointsFor(tx, payment, type))
  const event: NewEvent = { merchantId, isTest, paymentId: id, sequence, type, createdAtMs: atMs }
  if (type === 'payment.created' && callbackUrl === null && endpoints.length === 0) {
    tx.write(sql`insert into events (${events.names}) values (${events.values(event)})`)
    return
  }
  const number = await insertEvent(tx, event, eventBody(type, atMs, describe(payment)))
  if (callbackUrl !== null) insertDelivery(tx, number, event, callbackTarget(merchantId, callbackUrl), atMs)
  for (const target of endpoints) insertDelivery(tx, number, event, target, atMs)
}

/** `paymentId`: null for a test event of an endpoint. The body is stored beside these. */
export const events = table('events', {
  merchantId: text<MerchantId>(),
  isTest: flag(),
  paymentId: orNull(text<PaymentId>()),
  sequence: integer(),
  type: text(),
  createdAtMs: integer(),
})
type NewEvent = ValuesOf<typeof events>

/** `due`: an attempt is still to be made. */
export const deliveryStates = ['due', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * A delivery without its number. `endpointId`: null for a payment's callbackUrl. `attempts` counts all attempts, `attemptsSinceQueued`
 * those since the last requested redelivery.
 */
export const deliveries = table('deliveries', {
  eventNumber: integer(),
  merchantId: text<MerchantId>(),
  isTest: flag(),
  paymentId: orNull(text<PaymentId>()),
  sequence: integer(),
  type: text(),
  endpointId: orNull(text()),
  url: text(),
  receiverKey: text(),
  state: text<DeliveryState>(),
  attempts: integer(),
  attemptsSinceQueued: integer(),
  dueAtMs: integer(),
  createdAtMs: integer(),
  doneAtMs: orNull(integer()),
})

/** The receiver of a delivery. `endpointId` is null for a payment's callbackUrl; deliveries with one `receiverKey` share a limit. */
export type Target = { endpointId: string | null; url: string; receiverKey: string }

/** Each merchant's deliveries to a host have a separate limit, so that one broken receiver delays no other merchant. */
function callbackTarget(merchantId: MerchantId, url: string): Target {
  const origin = URL.canParse(url) ? new URL(url).origin : url
  return { endpointId: null, url, receiverKey: `${merchantId} ${origin}` }
}

/** Each endpoint has its own limit. */
export const endpointTarget = (id: string, url: string): Target => ({ endpointId: id, url, receiverKey: id })

/** @returns the event's number: events are numbered in the order of their commits. */
export async function insertEvent(tx: Tx, event: NewEvent, body: string): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      insert into events (${events.names}, body) values (${events.values(event)}, ${body})
      returning number`)
  if (!row) throw new Error('The event has no number')
  return row.number
}

/** The dispatcher pulls these rows. A delivery that exists becomes due again. */
export function insertDelivery(
  tx: Tx,
  eventNumber: number,
  { merchantId, isTest, paymentId, sequence, type }: Omit<NewEvent, 'createdAtMs'>,
  target: Target,
  dueAtMs: number,
): void {
  const event = { eventNumber, merchantId, isTest, paymentId, sequence, type }
  const due = {
    state: 'due',
    attempts: 0,
    attemptsSinceQueued: 0,
    dueAtMs,
    createdAtMs: dueAtMs,
    doneAtMs: null,
  } as const
  tx.write(sql`
      insert into deliveries (${deliveries.names}) values (${deliveries.values({ ...event, ...target, ...due })})
      on conflict (event_number, receiver_key) do update
         set state = 'due', attempts_since_queued = 0, due_at_ms = excluded.due_at_ms, url = excluded.url,
             done_at_ms = null`)
}

/** @throws {Error} when there is no such delivery. */
export async function deliveryNumber(tx: Tx, eventNumber: number, { receiverKey }: Target): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      select number from deliveries where event_number = ${eventNumber} and receiver_key = ${receiverKey}`)
  if (!row) throw new Error('The delivery has no number')
  return row.number
}

/**
 * Every endpoint receives this event regardless of its subscription, because customers are shown that the
 * merchant is being contacted about the failing payout.
 */
const toEveryEndpoint: string = 'deposit.sweep_failed' satisfies WebhookEventType

/** The merchant's endpoints that receive events of the type. */
export async function endpointsFor(
  tx: Tx,
  { merchantId, isTest }: Pick<Payment, 'merchantId' | 'isTest'>,
  type: WebhookEventType,
): Promise<Target[]> {
  // Types are compared here and not in SQL: `like` with a parameter compiles the statement anew each time.
  const rows = await tx.all<{ id: string; url: string; types: string | null }>(sql`
      select id, url, types from webhook_endpoints
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and disabled_reason is null
         and dialect = 'standard'`)
  return rows
    .filter(({ types }) => types === null || type === toEveryEndpoint || (JSON.parse(types) as string[]).includes(type))
    .map(({ id, url }) => endpointTarget(id, url))
}
