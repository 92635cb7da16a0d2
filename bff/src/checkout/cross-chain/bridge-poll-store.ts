import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** A bridge that the relay is to be asked about. */
export type Look = { paymentId: PaymentId; failures: number; reindexes: number }

/** Looks that are due, the longest waiting first, at most `limit`. */
export async function dueLooks(tx: Tx, nowMs: number, limit: number): Promise<Look[]> {
  return await tx.all<Look>(sql`
      select payment_id as "paymentId", failures, reindexes
        from bridge_looks where due_at_ms <= ${nowMs}
       order by due_at_ms, payment_id limit ${limit}`)
}

/** When the next look is, and what came of this one. */
export async function saveLook(tx: Tx, { paymentId, failures, reindexes }: Look, dueAtMs: number): Promise<void> {
  await tx.run(sql`
      update bridge_looks set due_at_ms = ${dueAtMs}, failures = ${failures}, reindexes = ${reindexes}
       where payment_id = ${paymentId}`)
}

/** Nothing more is to be learnt of it. */
export async function deleteLook(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from bridge_looks where payment_id = ${id}`)
}
