import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** How far the payment's test clock is ahead of the service's clock, in milliseconds. */
export async function loadAheadMs(tx: Tx, id: PaymentId): Promise<number> {
  const row = await tx.get<{ ahead_ms: number }>(sql`select ahead_ms from test_clocks where payment_id = ${id}`)
  return row?.ahead_ms ?? 0
}

export async function saveAheadMs(tx: Tx, id: PaymentId, aheadMs: number): Promise<void> {
  await tx.run(sql`
      insert into test_clocks (payment_id, ahead_ms) values (${id}, ${aheadMs})
      on conflict (payment_id) do update set ahead_ms = excluded.ahead_ms`)
}

/** Test payments whose late window has ended on their test clock, oldest first, at most `limit`. */
export async function lateEndedTests(tx: Tx, nowMs: number, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select p.id
        from payments p left join test_clocks c on c.payment_id = p.id
       where p.is_test = 1 and p.accepted_until_ms is not null and p.late_ended = 0
         and p.accepted_until_ms < ${nowMs} + coalesce(c.ahead_ms, 0)
       order by p.accepted_until_ms limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Pending test payments whose window has ended on their test clock, or whose transfers stayed unconfirmed for `abandonedMs`
 * after its end; oldest first, at most `limit`.
 */
export async function dueTests(tx: Tx, nowMs: number, abandonedMs: number, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select p.id
        from payments p left join test_clocks c on c.payment_id = p.id
       where p.is_test = 1 and p.status = 'pending'
         and p.window_ends_at_ms + p.window_ended * ${abandonedMs} < ${nowMs} + coalesce(c.ahead_ms, 0)
       order by p.window_ends_at_ms limit ${limit}`)
  return rows.map(({ id }) => id)
}
