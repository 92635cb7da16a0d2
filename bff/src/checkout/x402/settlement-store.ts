import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** One call that settles a payment. */
type Call = { id: PaymentId; callId: string; nowMs: number }

/** Begins the call, unless an earlier, unfinished one settles the payment. */
export async function holdSettlement(
  tx: Tx,
  { id, callId, nowMs, endsAtMs }: Call & { endsAtMs: number },
): Promise<void> {
  await tx.run(sql`
      insert into x402_settlements (payment_id, call_id, ends_at_ms) values (${id}, ${callId}, ${endsAtMs})
      on conflict (payment_id) do update set call_id = excluded.call_id, ends_at_ms = excluded.ends_at_ms
       where x402_settlements.ends_at_ms <= ${nowMs}`)
}

/** Whether an earlier, unfinished call settles the payment. */
export async function isHeldByAnother(tx: Tx, { id, callId, nowMs }: Call): Promise<boolean> {
  const row = await tx.get(sql`
      select payment_id from x402_settlements
       where payment_id = ${id} and call_id <> ${callId} and ends_at_ms > ${nowMs}`)
  return row !== undefined
}

/** Ends the call, whatever its result; of another one nothing changes. */
export async function releaseSettlement(tx: Tx, { id, callId }: Omit<Call, 'nowMs'>): Promise<void> {
  await tx.run(sql`delete from x402_settlements where payment_id = ${id} and call_id = ${callId}`)
}
