import { sql, type Tx } from '../db/db.ts'

/** Rows that a scrape counts at most, to stay fast. A gauge at this value means "at least this many". */
const countMax = 100_000

/** The rows of one queue. `oldestDueAtMs`: when the first of them became due. `deferred`: sweeps that wait for cheaper gas. */
export type Queue = {
  network: string
  state: string
  count: number
  failing: number
  deferred: number
  oldestDueAtMs: number
}

export async function payoutQueues(tx: Tx, kind: 'sweep' | 'refund' | 'return'): Promise<Queue[]> {
  return await tx.all<Queue>(sql`
      select network, state, count(*) as count, sum(case when failures > 0 then 1 else 0 end) as failing,
             sum(case when state = 'queued' and waiting_since_ms is not null then 1 else 0 end) as deferred,
             min(due_at_ms) as "oldestDueAtMs"
        from (select network, state, failures, waiting_since_ms, due_at_ms from payouts where kind = ${kind} limit ${countMax}) as waiting
       group by network, state`)
}

/** Deliveries that are due now or later. */
export async function deliveryQueue(tx: Tx): Promise<{ count: number; oldestDueAtMs: number | null }> {
  const row = await tx.get<{ count: number; oldestDueAtMs: number | null }>(sql`
      select count(*) as count, min(due_at_ms) as "oldestDueAtMs"
        from (select due_at_ms from deliveries where state = 'due' limit ${countMax}) as waiting`)
  return row ?? { count: 0, oldestDueAtMs: null }
}

/** Live and test payments whose window is open. */
export async function openPayments(tx: Tx): Promise<{ network: string; count: number }[]> {
  return await tx.all<{ network: string; count: number }>(sql`
      select network, count(*) as count
        from (select network from payments where status = 'pending' limit ${countMax}) as pending
       group by network`)
}

/** The operator's transactions that are not final, one per nonce. */
export async function outgoingOpen(tx: Tx): Promise<{ network: string; count: number }[]> {
  return await tx.all<{ network: string; count: number }>(sql`
      select network, count(*) as count
        from (select network from outgoing_transactions where state = 'stored' limit ${countMax}) as stored
       group by network`)
}

/** Disabled endpoints of all merchants, by reason. */
export async function disabledEndpoints(tx: Tx): Promise<{ reason: string; count: number }[]> {
  return await tx.all<{ reason: string; count: number }>(sql`
      select disabled_reason as reason, count(*) as count
        from (select disabled_reason from webhook_endpoints where disabled_reason is not null limit ${countMax}) as off
       group by disabled_reason`)
}
