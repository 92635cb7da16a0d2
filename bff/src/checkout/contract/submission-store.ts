import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/**
 * Stores the newest transaction submitted by a client for the payment.
 * @returns the number submitted so far.
 */
export async function saveSubmission(tx: Tx, id: PaymentId, txId: string, atMs: number): Promise<number> {
  const row = await tx.get<{ attempts: number }>(sql`
      insert into submissions (payment_id, tx_id, attempts, submitted_at_ms) values (${id}, ${txId}, 1, ${atMs})
      on conflict (payment_id) do update
         set tx_id = excluded.tx_id, attempts = submissions.attempts + 1, submitted_at_ms = excluded.submitted_at_ms
      returning attempts`)
  return row?.attempts ?? 1
}
