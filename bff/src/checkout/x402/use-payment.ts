import type { Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { dueKeptOf } from '../../payment/payment-sums.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { saveUse } from './charge-store.ts'

type Use = { id: PaymentId; resource: string; atMs: number }

/**
 * Uses a payment: it pays for one thing, a request or a facilitator's success, and only while it is paid and the merchant
 * neither refunded it nor is about to. Every response that grants something for money calls this in the commit that decides
 * the response.
 * @returns false when the payment is not paid, was refunded, or was used before.
 */
export async function usePayment(tx: Tx, { id, resource, atMs }: Use): Promise<boolean> {
  const payment = await loadPayment(tx, id)
  if (payment === undefined || dueKeptOf(payment) < payment.least) return false
  return await saveUse(tx, { id, resource, atMs })
}
