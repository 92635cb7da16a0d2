import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** Which payments. A null merchant: of all merchants. `fromMs` is included, `untilMs` is not. */
export type Selection = { merchantId: string | null; isTest: boolean; fromMs: number; untilMs: number }

/** Payments with a higher number than `after`, in the order of their creation, at most `limit`. */
export async function paymentIdsAfter(
  tx: Tx,
  { merchantId, isTest, fromMs, untilMs }: Selection,
  after: number,
  limit: number,
): Promise<{ number: number; id: PaymentId }[]> {
  return await tx.all<{ number: number; id: PaymentId }>(sql`
      select number, id from payments
       where number > ${after} and is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})
         and created_at_ms >= ${fromMs} and created_at_ms < ${untilMs}
       order by number limit ${limit}`)
}

/** How many payments the selection has. */
export async function countPayments(tx: Tx, { merchantId, isTest, fromMs, untilMs }: Selection): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from payments
       where is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})
         and created_at_ms >= ${fromMs} and created_at_ms < ${untilMs}`)
  return row?.count ?? 0
}
