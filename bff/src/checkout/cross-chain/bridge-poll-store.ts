import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/**
 * A bridge whose progress is polled at the relay. `windowOverMs`: the time of a block after the payment's window; null:
 * it is not over.
 */
export type BridgePoll = { paymentId: PaymentId; failures: number; reindexes: number; windowOverMs: number | null }

/** Due polls, oldest first, at most `limit`. */
export async function duePolls(tx: Tx, nowMs: number, limit: number): Promise<BridgePoll[]> {
  return await tx.all<BridgePoll>(sql`
      select payment_id as "paymentId", failures, reindexes, window_over_ms as "windowOverMs"
        from bridge_polls where due_at_ms <= ${nowMs}
       order by due_at_ms, payment_id limit ${limit}`)
}

/** Stores the time of the next poll, and this one's result. `isAnswered`: the relay has responded about the bridge. */
export async function savePoll(
  tx: Tx,
  { paymentId, failures, reindexes, windowOverMs }: BridgePoll,
  { dueAtMs, isAnswered }: { dueAtMs: number; isAnswered: boolean },
): Promise<void> {
  const isAnsweredSince = isAnswered && windowOverMs !== null ? 1 : 0
  await tx.run(sql`
      update bridge_polls
         set due_at_ms = ${dueAtMs}, failures = ${failures}, reindexes = ${reindexes},
             is_answered = case when ${isAnsweredSince} = 1 then 1 else is_answered end
       where payment_id = ${paymentId}`)
}

/** Ends the polls of a bridge in a final state. */
export async function deletePoll(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from bridge_polls where payment_id = ${id}`)
}
