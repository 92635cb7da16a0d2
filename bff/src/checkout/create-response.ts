import type { CreatedPayment } from './payment-maker.ts'
import { paymentQr } from './qr.ts'

type Extras = { nowMs: number; includeQr: boolean }

/**
 * The answer of a create: the stored text, with what is never stored or differs each time it is given.
 * @returns JSON.
 */
export function formatCreatedAnswer({ json, clientSecret }: CreatedPayment, { nowMs, includeQr }: Extras): string {
  const { payment, ...answer } = JSON.parse(json) as { payment: Parameters<typeof paymentQr>[0] }
  const shown = { ...payment, ...(clientSecret !== undefined && { clientSecret }) }
  return JSON.stringify({
    ...answer,
    serverTime: new Date(nowMs).toISOString(),
    payment: includeQr ? { ...shown, qr: paymentQr(payment) } : shown,
  })
}
