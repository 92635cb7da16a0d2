import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** Whose payments, and of when. Times are unix milliseconds; `untilMs` is the first moment that is out. */
export type Selection = { merchantId: string | null; isTest: boolean; fromMs: number; untilMs: number }

/** Ids of payments after a number, in the order of their creation, at most `limit`. */
export async function paymentIdsAfter(
  tx: Tx,
  { merchantId, isTest, fromMs, untilMs }: Selection,
  after: number,
  limit: number,
): Promise<{ number: number; id: PaymentId }[]> {
  return await tx.all<{ number: number; id: PaymentId }>(sql`
      select number, id from payments
       where number > ${after} and is_test = ${isTest ? 1 : 0} and (${merchantId} is null or merchant_id = ${merchantId})
         and created_at_ms >= ${fromMs} and created_at_ms < ${untilMs}
       order by number limit ${limit}`)
}
