import type { CreatedPayment } from './payment-maker.ts'
import { paymentQr } from './qr.ts'

type Extras = { nowMs: number; includeQr: boolean }

/** The response body of a create: the stored response plus the fields that are never stored or differ each time. */
export function createdBody<Response extends { payment: Parameters<typeof paymentQr>[0] }>(
  created: CreatedPayment<Response>,
  { nowMs, includeQr }: Extras,
) {
  const { clientSecret } = created
  const { payment, ...response } = created.response
  const shown: Response['payment'] = payment
  const extras: { clientSecret?: string; qr?: ReturnType<typeof paymentQr> } = {
    ...(clientSecret !== undefined && { clientSecret }),
    ...(includeQr && { qr: paymentQr(payment) }),
  }
  const serverTime = new Date(nowMs).toISOString()
  return { ...response, serverTime, payment: Object.assign(shown, extras) }
}
