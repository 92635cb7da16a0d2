import { sql, type Tx } from '../db/db.ts'

/**
 * What an owner can have sent early. `failed`: payouts that failed and wait for their next attempt. `deferred`: sweeps that wait for
 * cheaper gas. `parked`: shares of the platform that could not be paid.
 */
export const waitingKinds = ['failed', 'deferred', 'parked'] as const
export type WaitingKind = (typeof waitingKinds)[number]

/** Maximum rows that one call changes, oldest first. The others follow with the next call, or when they are due. */
const rowsMax = 1_000

/**
 * Makes the waiting rows of a network due now; the payout worker sends them under its usual checks. Safe to repeat.
 * @returns the number of waiting rows, including those already due.
 */
export async function makeDueNow(tx: Tx, network: string, kind: WaitingKind, nowMs: number): Promise<number> {
  if (kind === 'failed') return await makeFailedDue(tx, network, nowMs)
  if (kind === 'deferred') return await endDeferral(tx, network, nowMs)
  return await makeSharesDue(tx, network, nowMs)
}

async function makeFailedDue(tx: Tx, network: string, nowMs: number): Promise<number> {
  return await tx.run(sql`
      update payouts set due_at_ms = case when due_at_ms < ${nowMs} then due_at_ms else ${nowMs} end
       where state = 'queued' and (payment_id, kind, network, token) in (
               select payment_id, kind, network, token from payouts
                where network = ${network} and kind in ('sweep', 'refund', 'return') and state = 'queued' and failures > 0
                order by due_at_ms, payment_id limit ${rowsMax})`)
}

/** A sweep that has waited since the epoch has waited longer than any `maxWaitHours`, so it is sent whatever its gas costs. */
async function endDeferral(tx: Tx, network: string, nowMs: number): Promise<number> {
  return await tx.run(sql`
      update payouts set waiting_since_ms = 0, due_at_ms = case when due_at_ms < ${nowMs} then due_at_ms else ${nowMs} end
       where state = 'queued' and (payment_id, kind, network, token) in (
               select payment_id, kind, network, token from payouts
                where network = ${network} and kind = 'sweep' and state = 'queued' and waiting_since_ms is not null
                order by due_at_ms, payment_id limit ${rowsMax})`)
}

async function makeSharesDue(tx: Tx, network: string, nowMs: number): Promise<number> {
  return await tx.run(sql`
      update parked_shares set due_at_ms = case when due_at_ms < ${nowMs} then due_at_ms else ${nowMs} end
       where (network, place, token, recipient) in (
               select network, place, token, recipient from parked_shares
                where network = ${network} order by due_at_ms, place limit ${rowsMax})`)
}
