import type { Runtime } from '../../core/runtime.ts'
import type { Payment } from '../../payment/payment.ts'
import { paymentQr } from '../qr.ts'
import type { PaymentViewer } from './payment-view.ts'

type Deps = {
  viewer: PaymentViewer
  runtime: Runtime
}

export type PublicResponses = ReturnType<typeof createPublicResponses>

/** The public view of a payment as a response body: one response, or one event of a stream. */
export function createPublicResponses({ viewer, runtime }: Deps) {
  return (payment: Payment, origin: string | null, isWithQr: boolean) => {
    const view = Object.assign(viewer.public(payment, origin), viewer.walletRequests(payment))
    const shown = isWithQr ? { ...view, qr: paymentQr(view) } : view
    return { success: true as const, serverTime: new Date(runtime.nowMs()).toISOString(), payment: shown }
  }
}
