import { sql, type Tx } from '../../db/db.ts'
import { integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import { deliveries } from '../../payment/store/outbox-store.ts'
import { type Dialect, disableEndpoint, noteFailure, noteSuccess } from '../endpoints/endpoint-store.ts'
import { messageId } from '../send/sign.ts'
import { endpointFault, type Plan } from './delivery-retry.ts'

/** A delivery that may be attempted now. */
export type DueDelivery = { number: number; receiverKey: string; merchantId: string }

/** A stored secret, with the row for which it was sealed. */
type SealedSecrets = { row: string; current: string; previous: string | null; previousUntilMs: number | null }

/** Everything that an attempt needs. */
export type Delivery = ValuesOf<typeof deliveries> & {
  number: number
  /** The same for every attempt and every receiver of the event. */
  messageId: string
  body: string
  secrets: SealedSecrets
  /** A callback of a test payment that was created with a live public key, which anybody may hold: see `sandboxSecret`. */
  isOfPublicSandbox: boolean
  dialect: Dialect
  /** Whether a failed attempt is retried. */
  retries: boolean
}

/** An attempt as stored. */
export const attempts = table('attempts', {
  number: integer(),
  /** Null: the attempt was made before URLs were stored. */
  url: orNull(text()),
  sentAtMs: integer(),
  tookMs: integer(),
  code: orNull(integer()),
  error: orNull(text()),
  answer: text(),
  /** The signature header; null when nothing was posted. */
  signature: orNull(text()),
})
export type Attempt = ValuesOf<typeof attempts>

/** The result of an attempt as stored. `dueAtMs` is null when no other attempt follows. */
export type Outcome = Pick<Attempt, 'code' | 'error' | 'answer' | 'signature' | 'sentAtMs'> & {
  state: Plan['state']
  dueAtMs: number | null
  atMs: number
}

type DeliveryRow = {
  number: number
  body: string
  secret: string
  previous_secret: string | null
  previous_secret_until_ms: number | null
  of_public_sandbox: number
  dialect: Dialect
  retries: number
}

/** Bounds of one read of due deliveries: rows per receiver and in all, and receivers stepped through beside the endpoints. */
export type ReadBounds = { perReceiverMax: number; receiversMax: number; limit: number }

/** `next`: the receiver after which the next read continues; empty: start with the first. */
export type DueRead = { due: DueDelivery[]; next: string }

/**
 * Due deliveries, oldest first: at most `perReceiverMax` for each receiver and `limit` in all. For one payment and
 * receiver only the earliest open delivery is returned, so that the events of a payment keep their order. Above the limit
 * each merchant's endpoints and callbackUrls take turns: whoever has a public key can name any number of callbackUrls.
 *
 * The query steps through the index from receiver to receiver, and from delivery to delivery, so that the length of a
 * receiver's queue does not matter. Each read steps through all endpoints, whose keys begin with `we_`, and through the next
 * `receiversMax` receivers after `after`: the origin of a failing callbackUrl stays a receiver for 75 hours, due or not.
 */
export async function dueDeliveries(
  tx: Tx,
  nowMs: number,
  { perReceiverMax, receiversMax, limit }: ReadBounds,
  after = '',
): Promise<DueRead> {
  const rows = await tx.all<DueDelivery | (Omit<DueDelivery, 'number'> & { number: null })>(sql`
      with recursive
      endpoints (receiver_key) as (
        select min(receiver_key) from deliveries
         where state = 'due' and receiver_key >= 'we_' and receiver_key < 'we_~'
        union all
        select (select min(next.receiver_key) from deliveries next
                 where next.state = 'due' and next.receiver_key > endpoints.receiver_key
                   and next.receiver_key < 'we_~')
          from endpoints
         where endpoints.receiver_key is not null),
      others (receiver_key, place) as (
        select min(receiver_key), 1 from deliveries where state = 'due' and receiver_key > ${after}
        union all
        select (select min(next.receiver_key) from deliveries next
                 where next.state = 'due' and next.receiver_key > others.receiver_key), others.place + 1
          from others
         where others.receiver_key is not null and others.place < ${receiversMax}),
      receivers (receiver_key) as (
        select receiver_key from endpoints where receiver_key is not null
        union
        select receiver_key from others where receiver_key is not null),
      heads (number, place) as (
        select (select head.number from deliveries head
                 where head.state = 'due' and head.receiver_key = receivers.receiver_key and head.due_at_ms <= ${nowMs}
                   and not exists (
                     select 1 from deliveries earlier
                      where earlier.payment_id = head.payment_id and earlier.receiver_key = head.receiver_key
                        and earlier.event_number < head.event_number and earlier.state = 'due')
                 order by head.due_at_ms, head.event_number
                 limit 1), 1
          from receivers
        union all
        select (select next.number from deliveries next
                 where next.state = 'due' and next.receiver_key = d.receiver_key and next.due_at_ms <= ${nowMs}
                   and (next.due_at_ms, next.event_number) > (d.due_at_ms, d.event_number)
                   and not exists (
                     select 1 from deliveries earlier
                      where earlier.payment_id = next.payment_id and earlier.receiver_key = next.receiver_key
                        and earlier.event_number < next.event_number and earlier.state = 'due')
                 order by next.due_at_ms, next.event_number
                 limit 1), heads.place + 1
          from heads join deliveries d on d.number = heads.number
         where heads.place < ${perReceiverMax}),
      turns as (
        select d.number, d.receiver_key, d.merchant_id, d.due_at_ms, d.event_number,
               row_number() over (
                 partition by d.merchant_id, case when d.endpoint_id is null then 1 else 0 end
                     order by d.due_at_ms, d.event_number) as turn
          from heads join deliveries d on d.number = heads.number),
      page as (select * from turns order by turn, due_at_ms, event_number limit ${limit})
      select number, receiver_key as "receiverKey", merchant_id as "merchantId"
        from (select number, receiver_key, merchant_id, due_at_ms, event_number from page
              union all
              select null, receiver_key, '', null, null from others
               where place = ${receiversMax} and receiver_key is not null) as found
       order by due_at_ms, event_number`)
  const due: DueDelivery[] = []
  let next = ''
  for (const { number, receiverKey, merchantId } of rows) {
    if (number === null) next = receiverKey
    else due.push({ number, receiverKey, merchantId })
  }
  return { due, next }
}

/** @returns undefined when the delivery is no longer due. */
export async function loadDelivery(tx: Tx, number: number): Promise<Delivery | undefined> {
  const row = await tx.get<DeliveryRow>(sql`
      select d.*, e.body, coalesce(w.secret, m.webhook_secret) as secret,
             case when w.id is null then m.previous_webhook_secret else w.previous_secret end as previous_secret,
             case when w.id is null then m.previous_webhook_secret_until_ms else w.previous_secret_until_ms end
               as previous_secret_until_ms,
             coalesce(w.dialect, 'standard') as dialect, coalesce(w.retries, 1) as retries,
             case when w.id is null and p.is_test = 1 and p.made_with = 'public' then 1 else 0 end as of_public_sandbox
        from deliveries d
        join events e on e.number = d.event_number
        join merchants m on m.id = d.merchant_id
        left join webhook_endpoints w on w.id = d.endpoint_id
        left join payments p on p.id = d.payment_id
       where d.number = ${number} and d.state = 'due'`)
  if (!row) return undefined
  const delivery = deliveries.parse(row)
  return Object.assign(delivery, {
    number: row.number,
    messageId: messageId(delivery.paymentId, delivery.sequence, delivery.eventNumber),
    body: row.body,
    secrets: {
      row: delivery.endpointId ?? delivery.merchantId,
      current: row.secret,
      previous: row.previous_secret,
      previousUntilMs: row.previous_secret_until_ms,
    },
    isOfPublicSandbox: row.of_public_sandbox === 1,
    dialect: row.dialect,
    retries: row.retries === 1,
  })
}

/**
 * Stores the result of an attempt, and its effects on the endpoint. A delivery that changed during the attempt (the merchant
 * disabled the endpoint, or queued the delivery again) keeps its new state, except that an accepted attempt makes it delivered.
 * @returns why the endpoint was disabled, or null.
 */
export async function saveOutcome(tx: Tx, delivery: Delivery, outcome: Outcome): Promise<'gone' | 'failing' | null> {
  const { number, paymentId, endpointId, receiverKey, eventNumber, url, attemptsSinceQueued } = delivery
  const { state, dueAtMs, code, error, sentAtMs, atMs } = outcome
  const attempt = { ...outcome, number: delivery.attempts + 1, url, tookMs: atMs - sentAtMs }
  await tx.run(sql`
      insert into attempts (delivery_number, ${attempts.names}) values (${number}, ${attempts.values(attempt)})
      on conflict (delivery_number, number) do nothing`)
  const isOfQueue = sql`attempts_since_queued = ${attemptsSinceQueued}`
  const stored = await tx.get<{ dueAtMs: number }>(sql`
      update deliveries
         set state = case when ${state} = 'delivered' or (state = 'due' and ${isOfQueue}) then ${state} else state end,
             attempts = ${attempt.number},
             attempts_since_queued = case when ${isOfQueue} then ${attemptsSinceQueued + 1} else attempts_since_queued end,
             due_at_ms = case when ${isOfQueue} then coalesce(${dueAtMs}, due_at_ms) else due_at_ms end,
             last_code = ${code}, last_error = ${error},
             done_at_ms = case when ${state} = 'delivered' or (${state} <> 'due' and ${isOfQueue}) then cast(${atMs} as bigint)
                               else done_at_ms end
       where number = ${number} and attempts = ${delivery.attempts}
      returning due_at_ms as "dueAtMs"`)
  if (dueAtMs !== null && paymentId !== null && stored?.dueAtMs === dueAtMs) {
    // Later events of the payment wait for this delivery. With the same due time the query skips them until then.
    await tx.run(sql`
        update deliveries set due_at_ms = ${dueAtMs}
         where payment_id = ${paymentId} and receiver_key = ${receiverKey} and event_number > ${eventNumber}
           and state = 'due' and due_at_ms < ${dueAtMs}`)
  }
  if (endpointId === null) return null
  if (state === 'delivered') {
    await noteSuccess(tx, endpointId)
    return null
  }
  const failing = await noteFailure(tx, endpointId, atMs)
  const reason = failing && endpointFault(code, failing.sinceMs, atMs)
  if (reason) await disableEndpoint(tx, endpointId, reason, atMs)
  return reason ?? null
}
