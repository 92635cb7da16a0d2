import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** The selected payments. A null merchant: all merchants. `fromMs` is inclusive, `untilMs` exclusive. */
export type Selection = { merchantId: string | null; isTest: boolean; fromMs: number; untilMs: number }

/** Payments with a number above `after`, in creation order, at most `limit`. */
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

/** Number of payments in the selection. */
export async function countPayments(tx: Tx, { merchantId, isTest, fromMs, untilMs }: Selection): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from payments
       where is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})
         and created_at_ms >= ${fromMs} and created_at_ms < ${untilMs}`)
  return row?.count ?? 0
}
