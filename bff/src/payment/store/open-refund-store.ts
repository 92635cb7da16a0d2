import { sql, type Tx } from '../../db/db.ts'
import type { MerchantRefundId, MerchantRefundStatus } from '../merchant-refund.ts'
import type { MerchantId, PaymentId } from '../payment.ts'

/** Maximum rows counted or listed. */
const countMax = 100_000

/** Live refunds of all merchants that are not paid, by network and status, counted up to 100,000. */
export async function countOpenRefunds(tx: Tx) {
  return await tx.all<{ network: string; status: MerchantRefundStatus; count: number; oldestAtMs: number }>(sql`
      select network, status, count(*) as count, min(created_at_ms) as "oldestAtMs"
        from (select network, status, created_at_ms from merchant_refunds
               where is_test = 0 and status in ('awaiting_address', 'to_pay', 'confirming') limit ${countMax}) as open
       group by network, status`)
}

/** The fields of a refund in a reminder. Amounts are base units. */
export type UnpaidRefund = {
  id: MerchantRefundId
  paymentId: PaymentId
  orderId: string | null
  network: string
  currency: string
  tokenDecimals: number
  amount: string
}

/**
 * Live refunds of a merchant that wait for an address or for money, requested after `fromMs` and not after `toMs`; at most `limit`. The
 * condition includes `confirming`, because it must equal that of the index of open refunds.
 */
export async function unpaidRefunds(
  tx: Tx,
  merchantId: MerchantId,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  limit: number,
): Promise<UnpaidRefund[]> {
  return await tx.all<UnpaidRefund>(sql`
      select r.id, r.payment_id as "paymentId", p.order_id as "orderId", r.network, r.currency,
             r.token_decimals as "tokenDecimals", r.amount
        from merchant_refunds r join payments p on p.id = r.payment_id
       where r.merchant_id = ${merchantId} and r.is_test = 0
         and r.status in ('awaiting_address', 'to_pay', 'confirming') and r.status <> 'confirming'
         and r.created_at_ms > ${fromMs} and r.created_at_ms <= ${toMs}
       order by r.created_at_ms, r.number limit ${limit}`)
}
