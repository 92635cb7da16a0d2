import { sql, type Tx } from '../db/db.ts'
import type { Plan } from './retry.ts'

/** A delivery that may be tried now. */
export type DueDelivery = { id: string; origin: string }

/** What a try needs. `tries` are those before it. */
export type Delivery = {
  id: string
  paymentId: string
  sequence: number
  type: string
  url: string
  body: string
  tries: number
  /** The merchant's, to sign with. */
  secret: string
}

/** What a try came to, for the row. `dueAtMs` only when another follows. */
export type Outcome = {
  state: Plan['state']
  dueAtMs: number | null
  code: number | null
  error: string | null
  atMs: number
}

type DeliveryRow = {
  id: string
  payment_id: string
  sequence: number
  type: string
  url: string
  body: string
  attempts: number
  webhook_secret: string
}

/**
 * Deliveries that are due, oldest first: per origin at most `originMax`, together at most `limit`. Of one payment and
 * URL only the earliest that is not done, so that its events keep their order.
 *
 * Steps through the index from origin to origin, so a receiver with a long queue costs no more than one with a short.
 */
export async function dueDeliveries(tx: Tx, nowMs: number, originMax: number, limit: number): Promise<DueDelivery[]> {
  return tx.all<DueDelivery>(sql`
      with recursive origins (origin) as (
        select min(origin) from deliveries where state = 'due'
        union all
        select (select min(next.origin) from deliveries next where next.state = 'due' and next.origin > origins.origin)
          from origins
         where origins.origin is not null)
      select d.id, d.origin
        from origins
        join deliveries d on d.id in (
          select head.id from deliveries head
           where head.state = 'due' and head.origin = origins.origin and head.due_at_ms <= ${nowMs}
             and not exists (
               select 1 from deliveries earlier
                where earlier.payment_id = head.payment_id and earlier.url = head.url
                  and earlier.sequence < head.sequence and earlier.state = 'due')
           order by head.due_at_ms, head.sequence
           limit ${originMax})
       order by d.due_at_ms, d.sequence
       limit ${limit}`)
}

/** Undefined when it is not due any more. */
export async function loadDelivery(tx: Tx, id: string): Promise<Delivery | undefined> {
  const row = await tx.get<DeliveryRow>(sql`
      select d.id, d.payment_id, d.sequence, d.type, d.url, d.body, d.attempts, m.webhook_secret
        from deliveries d join merchants m on m.id = d.merchant_id
       where d.id = ${id} and d.state = 'due'`)
  if (!row) return undefined
  return {
    id: row.id,
    paymentId: row.payment_id,
    sequence: row.sequence,
    type: row.type,
    url: row.url,
    body: row.body,
    tries: row.attempts,
    secret: row.webhook_secret,
  }
}

/** Stores what a try came to. Changes nothing when the row has moved on since it was loaded. */
export async function saveOutcome(
  tx: Tx,
  { id, paymentId, url, sequence, tries }: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { state, dueAtMs, code, error, atMs } = outcome
  const changed = await tx.run(sql`
      update deliveries
         set state = ${state}, attempts = ${tries + 1}, due_at_ms = coalesce(${dueAtMs}, due_at_ms),
             last_code = ${code}, last_error = ${error}, done_at_ms = ${state === 'due' ? null : atMs}
       where id = ${id} and state = 'due' and attempts = ${tries}`)
  if (changed === 0 || dueAtMs === null) return
  // Those behind it cannot go earlier: out of the index's due part, they cost nothing until then.
  await tx.run(sql`
      update deliveries set due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and url = ${url} and sequence > ${sequence}
         and state = 'due' and due_at_ms < ${dueAtMs}`)
}
