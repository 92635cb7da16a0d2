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
}

export type DeliveryRow = {
  number: number
  eventNumber: number
  paymentId: PaymentId | null
  sequence: number
  type: string
  endpointId: string | null
  url: string
  lane: string
  state: DeliveryState
  attempts: number
  dueAtMs: number
  createdAtMs: number
  doneAtMs: number | null
}

/** Newest first, before a number, at most `limit`. */
export async function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  before: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return await tx.all<DeliveryRow>(sql`
      select number, event_number as "eventNumber", payment_id as "paymentId", sequence, type, endpoint_id as "endpointId",
             url, lane, state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs", done_at_ms as "doneAtMs"
        from deliveries
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} and number < ${before}
         and (${filter.endpointId} is null or endpoint_id = ${filter.endpointId})
         and (${filter.paymentId} is null or payment_id = ${filter.paymentId})
         and (${filter.type} is null or type = ${filter.type})
         and (${filter.state} is null or state = ${filter.state})
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
             url, lane, state, attempts, due_at_ms as "dueAtMs", created_at_ms as "createdAtMs", done_at_ms as "doneAtMs"
        from deliveries
       where number = ${number} and merchant_id = ${merchantId}`)
}

export type AttemptRow = {
  number: number
  sentAtMs: number
  tookMs: number
  code: number | null
  error: string | null
  answer: string
}

/** The newest, in the order in which they were made, at most `limit`. */
export async function newestAttempts(tx: Tx, deliveryNumber: number, limit: number): Promise<AttemptRow[]> {
  const rows = await tx.all<AttemptRow>(sql`
      select number, sent_at_ms as "sentAtMs", took_ms as "tookMs", code, error, answer
        from attempts where delivery_number = ${deliveryNumber} order by number desc limit ${limit}`)
  return rows.reverse()
}

/** Makes a delivery due again, with all ten attempts. */
export async function makeDue(tx: Tx, number: number, url: string, atMs: number): Promise<void> {
  await tx.run(sql`
      update deliveries set state = 'due', tries = 0, due_at_ms = ${atMs}, url = ${url}, done_at_ms = null
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

/** The state of an event's delivery to a lane; undefined when it was never owed to it. */
export async function stateOf(tx: Tx, eventNumber: number, lane: string): Promise<DeliveryState | undefined> {
  const row = await tx.get<{ state: DeliveryState }>(sql`
      select state from deliveries where event_number = ${eventNumber} and lane = ${lane}`)
  return row?.state
}
