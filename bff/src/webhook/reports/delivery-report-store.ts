import { sql, type Tx } from '../../db/db.ts'
import type { ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { type DeliveryState, deliveries } from '../../payment/store/outbox-store.ts'
import { type Attempt, attempts } from '../outbox/delivery-store.ts'

/** Selects among a merchant's deliveries; null means all. */
export type DeliveryFilter = {
  merchantId: MerchantId
  isTest: boolean
  endpointId: string | null
  paymentId: string | null
  type: string | null
  state: DeliveryState | null
  /** Inclusive, Unix milliseconds. */
  sinceMs: number | null
}

export type DeliveryRow = ValuesOf<typeof deliveries> & { number: number }

type NumberedRow = { number: number }

const fromRow = (row: NumberedRow): DeliveryRow => Object.assign(deliveries.parse(row), { number: row.number })

/** Deliveries that one page scans, so that a filter that matches few of them does not hold up others. */
const scanMax = 10_000

/** `next`: where the next page begins; null at the end. A page may be short and still have a next one. */
export type DeliveryPage = { rows: DeliveryRow[]; next: number | null }

const passes = ({ endpointId, type, state, sinceMs }: DeliveryFilter) => sql`
    (cast(${endpointId} as text) is null or endpoint_id = ${endpointId})
     and (cast(${type} as text) is null or type = ${type})
     and (cast(${state} as text) is null or state = ${state})
     and (cast(${sinceMs} as bigint) is null or created_at_ms >= ${sinceMs})`

/** Newest first, below the number `before`: at most `limit`, found among the next {@link scanMax}. */
export async function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  before: number,
  limit: number,
): Promise<DeliveryPage> {
  const testFlag = filter.isTest ? 1 : 0
  const own = sql`merchant_id = ${filter.merchantId} and is_test = ${testFlag} and number < ${before}`
  const page = sql`${passes(filter)} order by number desc limit ${limit}`
  if (filter.paymentId !== null) {
    // A payment has few deliveries: its events times its merchant's endpoints.
    const ofPayment = await tx.all<NumberedRow>(sql`
        select * from (select * from deliveries where payment_id = ${filter.paymentId} limit ${scanMax}) as own
         where ${own} and ${page}`)
    return pageOf(ofPayment, limit, null)
  }
  if (filter.state === 'failed') {
    // Uses the index of failed deliveries, which are few where a shop's endpoints work.
    const failed = await tx.all<NumberedRow>(sql`
        select * from deliveries where state = 'failed' and ${own} and ${page}`)
    return pageOf(failed, limit, null)
  }
  const newest = sql`deliveries where ${own} order by number desc limit ${scanMax}`
  const rows = await tx.all<NumberedRow>(sql`select * from (select * from ${newest}) as newest where ${page}`)
  if (rows.length === limit) return pageOf(rows, limit, null)
  const scanned = await tx.get<{ count: number; last: number }>(sql`
      select count(*) as count, min(number) as last from (select number from ${newest}) as newest`)
  return pageOf(rows, limit, scanned?.count === scanMax ? scanned.last : null)
}

function pageOf(rows: NumberedRow[], limit: number, scannedTo: number | null): DeliveryPage {
  return { rows: rows.map(fromRow), next: rows.length === limit ? (rows.at(-1)?.number ?? null) : scannedTo }
}

/** Undefined when the merchant has no such delivery. */
export async function loadOwnDelivery(
  tx: Tx,
  merchantId: MerchantId,
  number: number,
): Promise<DeliveryRow | undefined> {
  const row = await tx.get<NumberedRow>(sql`
      select * from deliveries where number = ${number} and merchant_id = ${merchantId}`)
  return row && fromRow(row)
}

/** The bytes that every attempt posts. */
export async function loadBody(tx: Tx, eventNumber: number): Promise<string> {
  const row = await tx.get<{ body: string }>(sql`select body from events where number = ${eventNumber}`)
  if (!row) throw new Error(`There is no event ${eventNumber}.`)
  return row.body
}

/** The newest attempts, at most `limit`, oldest first. */
export async function newestAttempts(tx: Tx, deliveryNumber: number, limit: number): Promise<Attempt[]> {
  const rows = await tx.all<object>(sql`
      select * from attempts where delivery_number = ${deliveryNumber} order by number desc limit ${limit}`)
  return rows.map(attempts.parse).reverse()
}

/** Makes a delivery due again, with all ten attempts. */
export async function makeDue(tx: Tx, number: number, url: string, atMs: number): Promise<void> {
  await tx.run(sql`
      update deliveries set state = 'due', attempts_since_queued = 0, due_at_ms = ${atMs}, url = ${url}, done_at_ms = null
       where number = ${number}`)
}

/** A delivery that a replay may repeat. */
export type Replayable = { number: number; eventNumber: number; url: string; endpointUrl: string | null }

/**
 * Deliveries to enabled receivers, of events after a number and within a time range, oldest event first, at most `limit`.
 * `isAll` includes those that were accepted.
 */
export async function replayable(
  tx: Tx,
  { merchantId, isTest }: { merchantId: MerchantId; isTest: boolean },
  range: { after: number; sinceMs: number; untilMs: number; isAll: boolean },
  limit: number,
): Promise<Replayable[]> {
  return await tx.all<Replayable>(sql`
      select d.number, d.event_number as "eventNumber", d.url, w.url as "endpointUrl"
        from events e
        join deliveries d on d.event_number = e.number
        left join webhook_endpoints w on w.id = d.endpoint_id
       where e.merchant_id = ${merchantId} and e.is_test = ${isTest ? 1 : 0} and e.number > ${range.after}
         and e.created_at_ms >= ${range.sinceMs} and e.created_at_ms < ${range.untilMs}
         and e.payment_id is not null and w.disabled_reason is null and (${range.isAll ? 1 : 0} = 1 or d.state <> 'delivered')
       order by e.number, d.number limit ${limit}`)
}

/** The state of an event's delivery to a receiver; undefined when there is no such delivery. */
export async function stateOf(tx: Tx, eventNumber: number, receiverKey: string): Promise<DeliveryState | undefined> {
  const row = await tx.get<{ state: DeliveryState }>(sql`
      select state from deliveries where event_number = ${eventNumber} and receiver_key = ${receiverKey}`)
  return row?.state
}
