import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

/** `due`: an attempt is still to be made. */
export const deliveryStates = ['due', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Which of a merchant's deliveries; null means all. */
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

export type DeliveryRow = {
  number: number
  eventNumber: number
  paymentId: PaymentId | null
  sequence: number
  type: string
  endpointId: string | null
  url: string
  receiverKey: string
  state: DeliveryState
  attempts: number
  dueAtMs: number
  createdAtMs: number
  doneAtMs: number | null
}

/** Deliveries that one page reads, so that a filter that hardly any of them passes keeps nobody else waiting. */
const scanMax = 10_000

/** `next`: where the next page begins; null at the end. A page may have fewer rows than were asked for, and a next one. */
export type DeliveryPage = { rows: DeliveryRow[]; next: number | null }

/** Newest first, before a number, at most `limit` of the next {@link scanMax}. */
export async function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  before: number,
  limit: number,
): Promise<DeliveryPage> {
  if (filter.paymentId !== null) return pageOf(await deliveriesOfPayment(tx, filter, before, limit), limit, null)
  if (filter.state === 'failed') return pageOf(await failedDeliveries(tx, filter, before, limit), limit, null)
  const testFlag = filter.isTest ? 1 : 0
  const rows = await tx.all<DeliveryRow>(sql`
      select number, event_number as "eventNumber", payment_id as "paymentId", sequence, type, endpoint_id as "endpointId",
             url, receiver_key as "receiverKey", state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs",
             done_at_ms as "doneAtMs"
        from (select * from deliveries
               where merchant_id = ${filter.merchantId} and is_test = ${testFlag} and number < ${before}
               order by number desc limit ${scanMax}) as newest
       where (cast(${filter.endpointId} as text) is null or endpoint_id = ${filter.endpointId})
         and (cast(${filter.type} as text) is null or type = ${filter.type})
         and (cast(${filter.state} as text) is null or state = ${filter.state})
         and (cast(${filter.sinceMs} as bigint) is null or created_at_ms >= ${filter.sinceMs})
       order by number desc limit ${limit}`)
  if (rows.length === limit) return pageOf(rows, limit, null)
  const scanned = await tx.get<{ count: number; last: number }>(sql`
      select count(*) as count, min(number) as last
        from (select number from deliveries
               where merchant_id = ${filter.merchantId} and is_test = ${testFlag} and number < ${before}
               order by number desc limit ${scanMax}) as newest`)
  return pageOf(rows, limit, scanned?.count === scanMax ? scanned.last : null)
}

function pageOf(rows: DeliveryRow[], limit: number, scannedTo: number | null): DeliveryPage {
  return { rows, next: rows.length === limit ? (rows.at(-1)?.number ?? null) : scannedTo }
}

/** A payment has some deliveries: as many as it has events and its merchant has endpoints. */
async function deliveriesOfPayment(tx: Tx, filter: DeliveryFilter, before: number, limit: number) {
  return await tx.all<DeliveryRow>(sql`
      select number, event_number as "eventNumber", payment_id as "paymentId", sequence, type, endpoint_id as "endpointId",
             url, receiver_key as "receiverKey", state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs",
             done_at_ms as "doneAtMs"
        from (select * from deliveries where payment_id = ${filter.paymentId} limit ${scanMax}) as own
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} and number < ${before} and (cast(${filter.endpointId} as text) is null or endpoint_id = ${filter.endpointId})
         and (cast(${filter.type} as text) is null or type = ${filter.type})
         and (cast(${filter.state} as text) is null or state = ${filter.state})
         and (cast(${filter.sinceMs} as bigint) is null or created_at_ms >= ${filter.sinceMs})
       order by number desc limit ${limit}`)
}

/** By the index of those that failed, which are few where a shop's endpoints work. */
async function failedDeliveries(tx: Tx, filter: DeliveryFilter, before: number, limit: number) {
  return await tx.all<DeliveryRow>(sql`
      select number, event_number as "eventNumber", payment_id as "paymentId", sequence, type, endpoint_id as "endpointId",
             url, receiver_key as "receiverKey", state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs",
             done_at_ms as "doneAtMs"
        from deliveries
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} and state = 'failed'
         and number < ${before} and (cast(${filter.endpointId} as text) is null or endpoint_id = ${filter.endpointId})
         and (cast(${filter.type} as text) is null or type = ${filter.type})
         and (cast(${filter.state} as text) is null or state = ${filter.state})
         and (cast(${filter.sinceMs} as bigint) is null or created_at_ms >= ${filter.sinceMs})
       order by number desc limit ${limit}`)
}

/** Undefined when it is not the merchant's. */
export async function loadOwnDelivery(
  tx: Tx,
  merchantId: MerchantId,
  number: number,
): Promise<DeliveryRow | undefined> {
  return await tx.get<DeliveryRow>(sql`
      select number, event_number as "eventNumber", payment_id as "paymentId", sequence, type, endpoint_id as "endpointId",
             url, receiver_key as "receiverKey", state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs",
             done_at_ms as "doneAtMs"
        from deliveries
       where number = ${number} and merchant_id = ${merchantId}`)
}

export type AttemptRow = {
  number: number
  /** Null: of an attempt that was made before URLs were kept. */
  url: string | null
  sentAtMs: number
  tookMs: number
  code: number | null
  error: string | null
  answer: string
  signature: string | null
}

/** The bytes that every attempt posts. */
export async function loadBody(tx: Tx, eventNumber: number): Promise<string> {
  const row = await tx.get<{ body: string }>(sql`select body from events where number = ${eventNumber}`)
  if (!row) throw new Error(`There is no event ${eventNumber}.`)
  return row.body
}

/** The newest, in the order in which they were made, at most `limit`. */
export async function newestAttempts(tx: Tx, deliveryNumber: number, limit: number): Promise<AttemptRow[]> {
  const rows = await tx.all<AttemptRow>(sql`
      select number, url, sent_at_ms as "sentAtMs", took_ms as "tookMs", code, error, answer, signature
        from attempts where delivery_number = ${deliveryNumber} order by number desc limit ${limit}`)
  return rows.reverse()
}

/** Makes a delivery due again, with all ten attempts. */
export async function makeDue(tx: Tx, number: number, url: string, atMs: number): Promise<void> {
  await tx.run(sql`
      update deliveries set state = 'due', attempts_since_queued = 0, due_at_ms = ${atMs}, url = ${url}, done_at_ms = null
       where number = ${number}`)
}

/** What a replay may repeat. */
export type Replayable = { number: number; eventNumber: number; url: string; endpointUrl: string | null }

/**
 * Deliveries to receivers that are not disabled, of events after a number and of a time, oldest event first, at most
 * `limit`. `isAll`: those that were accepted too.
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
