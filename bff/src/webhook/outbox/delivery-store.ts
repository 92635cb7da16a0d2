import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { disableEndpoint, noteFailure, noteSuccess } from '../endpoints/endpoint-store.ts'
import { messageId } from '../send/sign.ts'
import { endpointFault, type Plan } from './delivery-retry.ts'

/** A delivery of which an attempt may be made now. */
export type DueDelivery = { number: number; receiverKey: string }

/** A secret as it is stored, with the row that it was sealed for. */
type SealedSecrets = { row: string; current: string; previous: string | null; previousUntilMs: number | null }

/** What an attempt needs. `attempts` counts all earlier attempts, `attemptsSinceQueued` those since the last redelivery was asked for. */
export type Delivery = {
  number: number
  /** The same for every attempt and every receiver of the event. */
  messageId: string
  merchantId: string
  paymentId: string | null
  /** Null for a payment's callbackUrl. */
  endpointId: string | null
  receiverKey: string
  eventNumber: number
  type: string
  url: string
  body: string
  attemptsSinceQueued: number
  attempts: number
  secrets: SealedSecrets
  /** A callback of a test payment that a live public key created, which anybody may hold: see `sandboxSecret`. */
  isOfPublicSandbox: boolean
}

/** The result of an attempt as it is stored. `dueAtMs` is null when no other attempt follows. */
export type Outcome = {
  state: Plan['state']
  dueAtMs: number | null
  code: number | null
  error: string | null
  answer: string
  /** The header; null when nothing was posted. */
  signature: string | null
  sentAtMs: number
  atMs: number
}

type DeliveryRow = {
  number: number
  event_number: number
  merchant_id: string
  payment_id: PaymentId | null
  sequence: number
  endpoint_id: string | null
  receiver_key: string
  type: string
  url: string
  body: string
  attempts_since_queued: number
  attempts: number
  secret: string
  previous_secret: string | null
  previous_secret_until_ms: number | null
  of_public_sandbox: number
}

/**
 * Due deliveries, oldest first: at most `perReceiverMax` for each receiver and `limit` in all. For one payment and
 * receiver only the earliest open delivery is returned, so that the events of a payment keep their order.
 *
 * The query steps through the index from receiver to receiver, and from delivery to delivery, so that the length of a
 * receiver's queue does not matter.
 */
export async function dueDeliveries(
  tx: Tx,
  nowMs: number,
  perReceiverMax: number,
  limit: number,
): Promise<DueDelivery[]> {
  return tx.all<DueDelivery>(sql`
      with recursive
      receivers (receiver_key) as (
        select min(receiver_key) from deliveries where state = 'due'
        union all
        select (select min(next.receiver_key) from deliveries next
                 where next.state = 'due' and next.receiver_key > receivers.receiver_key)
          from receivers
         where receivers.receiver_key is not null),
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
         where receivers.receiver_key is not null
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
         where heads.place < ${perReceiverMax})
      select d.number, d.receiver_key as "receiverKey"
        from heads join deliveries d on d.number = heads.number
       order by d.due_at_ms, d.event_number
       limit ${limit}`)
}

/** @returns undefined when the delivery is no longer due. */
export async function loadDelivery(tx: Tx, number: number): Promise<Delivery | undefined> {
  const row = await tx.get<DeliveryRow>(sql`
      select d.number, d.event_number, d.merchant_id, d.payment_id, d.sequence, d.endpoint_id, d.receiver_key, d.type, d.url,
             d.attempts_since_queued, d.attempts, e.body, coalesce(w.secret, m.webhook_secret) as secret,
             case when w.id is null then m.previous_webhook_secret else w.previous_secret end as previous_secret,
             case when w.id is null then m.previous_webhook_secret_until_ms else w.previous_secret_until_ms end
               as previous_secret_until_ms,
             case when w.id is null and p.is_test = 1 and p.made_with = 'public' then 1 else 0 end as of_public_sandbox
        from deliveries d
        join events e on e.number = d.event_number
        join merchants m on m.id = d.merchant_id
        left join webhook_endpoints w on w.id = d.endpoint_id
        left join payments p on p.id = d.payment_id
       where d.number = ${number} and d.state = 'due'`)
  if (!row) return undefined
  return {
    number: row.number,
    messageId: messageId(row.payment_id, row.sequence, row.event_number),
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    endpointId: row.endpoint_id,
    receiverKey: row.receiver_key,
    eventNumber: row.event_number,
    type: row.type,
    url: row.url,
    body: row.body,
    attemptsSinceQueued: row.attempts_since_queued,
    attempts: row.attempts,
    secrets: {
      row: row.endpoint_id ?? row.merchant_id,
      current: row.secret,
      previous: row.previous_secret,
      previousUntilMs: row.previous_secret_until_ms,
    },
    isOfPublicSandbox: row.of_public_sandbox === 1,
  }
}

/**
 * Stores the result of an attempt, and what follows from it for the endpoint. A delivery that changed during the attempt (the
 * merchant disabled the endpoint) keeps its new state, except that an accepted attempt makes it delivered.
 * @returns why the endpoint was disabled, or null.
 */
export async function saveOutcome(tx: Tx, delivery: Delivery, outcome: Outcome): Promise<'gone' | 'failing' | null> {
  const { number, paymentId, endpointId, receiverKey, eventNumber, url, attempts, attemptsSinceQueued } = delivery
  const { state, dueAtMs, code, error, answer, signature, sentAtMs, atMs } = outcome
  await tx.run(sql`
      insert into attempts (delivery_number, number, url, sent_at_ms, took_ms, code, error, answer, signature)
      values (${number}, ${attempts + 1}, ${url}, ${sentAtMs}, ${atMs - sentAtMs}, ${code}, ${error}, ${answer},
              ${signature})
      on conflict (delivery_number, number) do nothing`)
  await tx.run(sql`
      update deliveries
         set state = case when state = 'due' or ${state} = 'delivered' then ${state} else state end,
             attempts = ${attempts + 1}, attempts_since_queued = ${attemptsSinceQueued + 1},
             due_at_ms = coalesce(${dueAtMs}, due_at_ms), last_code = ${code}, last_error = ${error},
             done_at_ms = case when ${state} = 'due' then done_at_ms else ${atMs} end
       where number = ${number} and attempts = ${attempts}`)
  if (dueAtMs !== null && paymentId !== null) {
    // Later events of the payment cannot be delivered earlier. With the same due time the query does not read them until then.
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
