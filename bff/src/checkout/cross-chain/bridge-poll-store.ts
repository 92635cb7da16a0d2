import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** A bridge whose progress the relay is polled for. */
export type BridgePoll = { paymentId: PaymentId; failures: number; reindexes: number }

/** Polls that are due, the oldest first, at most `limit`. */
export async function duePolls(tx: Tx, nowMs: number, limit: number): Promise<BridgePoll[]> {
  return await tx.all<BridgePoll>(sql`
      select payment_id as "paymentId", failures, reindexes
        from bridge_looks where due_at_ms <= ${nowMs}
       order by due_at_ms, payment_id limit ${limit}`)
}

/** Stores the time of the next poll, and the result of this one. */
export async function savePoll(tx: Tx, { paymentId, failures, reindexes }: BridgePoll, dueAtMs: number): Promise<void> {
  await tx.run(sql`
      update bridge_looks set due_at_ms = ${dueAtMs}, failures = ${failures}, reindexes = ${reindexes}
       where payment_id = ${paymentId}`)
}

/** Ends the polls of a bridge that can no longer change. */
export async function deletePoll(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from bridge_looks where payment_id = ${id}`)
}
