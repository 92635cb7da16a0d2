import type { z } from 'zod'
import type { Runtime } from '../../core/runtime.ts'
import type { Payment } from '../../payment/payment.ts'
import { paymentQr } from '../qr.ts'
import type { PublicMerchantRefund } from '../wire/merchant-refund-schemas.ts'
import type { PaymentViewer } from './payment-view.ts'

type Deps = {
  viewer: PaymentViewer
  runtime: Runtime
  refundsOf: (payment: Payment) => Promise<z.infer<typeof PublicMerchantRefund>[]>
}

export type PublicResponses = ReturnType<typeof createPublicResponses>

/** The public view of a payment as a response body: one response, or one event of a stream. */
export function createPublicResponses({ viewer, runtime, refundsOf }: Deps) {
  return async (payment: Payment, origin: string | null, isWithQr: boolean) => {
    const refunds = await publicRefundsOf(payment, refundsOf)
    const view = Object.assign(viewer.public(payment, origin), viewer.walletRequests(payment), { refunds })
    const shown = isWithQr ? { ...view, qr: paymentQr(view) } : view
    return { success: true as const, serverTime: new Date(runtime.nowMs()).toISOString(), payment: shown }
  }
}

/** Skips the query when there are no refunds, because every customer's page reads this. */
async function publicRefundsOf(payment: Payment, refundsOf: Deps['refundsOf']) {
  if (payment.refundedByMerchant === 0n && payment.refundDueByMerchant === 0n) return []
  const refunds = await refundsOf(payment)
  return refunds
    .filter(({ status, transactions }) => status !== 'cancelled' || transactions.length > 0)
    .map(({ status, amount, paid, transactions, paidAt }) => ({
      status,
      amount,
      paid,
      paidAt,
      transactions: transactions.map(({ hash, explorerUrl }) => ({ hash, explorerUrl })),
    }))
}
