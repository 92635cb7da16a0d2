import { sql, type Tx } from '../../db/db.ts'
import type { ValuesOf } from '../../db/table.ts'
import { initialStateOf } from '../../payment/initial-state.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import { type DescribePayment, eventBody, events } from '../../payment/store/outbox-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'

/** The longest time between an event and its commit: longer than the database waits for a lock. */
const commitMs = 60_000

/** A stored event. A null `body` means that nobody was notified of the event: it is then made from the payment when read. */
export type StoredEvent = ValuesOf<typeof events> & { number: number; paymentId: PaymentId; body: string | null }

/** The events of one merchant, either live or test. */
export type Feed = { merchantId: MerchantId; isTest: boolean; types: readonly string[] | null }

/** Events of payments after a number, in the order in which they happened, at most `limit`. */
export async function eventsAfter(tx: Tx, feed: Feed, after: number, limit: number): Promise<StoredEvent[]> {
  const types = feed.types && JSON.stringify(feed.types)
  const rows = await tx.all<{ number: number; payment_id: PaymentId; body: string | null }>(sql`
      select number, body, ${events.names} from events
       where merchant_id = ${feed.merchantId} and is_test = ${feed.isTest ? 1 : 0} and number > ${after}
         and payment_id is not null and (cast(${types} as text) is null or ${types} like '%"' || type || '"%')
       order by number limit ${limit}`)
  return rows.map((row) => ({ ...events.parse(row), number: row.number, paymentId: row.payment_id, body: row.body }))
}

/** The body that deliveries post. */
export async function bodyOf(tx: Tx, event: StoredEvent, describe: DescribePayment): Promise<string> {
  if (event.body !== null) return event.body
  const payment = await loadPayment(tx, event.paymentId)
  if (!payment) throw new Error(`Event ${event.number} belongs to a payment that does not exist.`)
  return eventBody(event.type, event.createdAtMs, describe(initialStateOf(payment)))
}

/** Stores the body when an event gets its first delivery, so that every attempt posts the same bytes. */
export async function storeBody(tx: Tx, event: StoredEvent, describe: DescribePayment): Promise<void> {
  if (event.body !== null) return
  await tx.run(sql`update events set body = ${await bodyOf(tx, event, describe)} where number = ${event.number}`)
}

/**
 * A number below the first event at or after a time, by at most one minute of events, because events are numbered in commit
 * order. A binary search, because the times have no index.
 */
export async function numberBefore(tx: Tx, timeMs: number): Promise<number> {
  const newest = await tx.get<{ number: number | null }>(sql`select max(number) as number from events`)
  let low = 0
  let high = newest?.number ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await tx.get<{ createdAtMs: number }>(sql`
        select created_at_ms as "createdAtMs" from events where number > ${middle} order by number limit 1`)
    if (row && row.createdAtMs < timeMs - commitMs) low = middle + 1
    else high = middle
  }
  return low
}
