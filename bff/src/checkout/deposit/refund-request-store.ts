import type { Caller } from '../../access/context/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** Records who set the address. A null caller used the client secret without a key. The table is append-only. */
export async function insertRefundRequest(
  tx: Tx,
  request: { paymentId: PaymentId; network: string | null; address: string; caller: Caller | null; atMs: number },
): Promise<void> {
  const { paymentId, network, address, caller, atMs } = request
  await tx.run(sql`
      insert into refund_requests (payment_id, network, address, caller_kind, caller_id, created_at_ms)
      values (${paymentId}, ${network}, ${address}, ${caller?.kind ?? 'public'},
              ${caller?.id ?? 'client secret'}, ${atMs})`)
}
