import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { pricesIn } from './catalog.ts'
import type { StorefrontConfig } from './config.ts'
import type { Order } from './shop.ts'

/**
 * A payment for an order. `answer` is the service's JSON response while the payment is new; `replica` names the
 * responding one, if there are several.
 */
export type MadePayment = { id: string; clientSecret: string; answer: string | null; replica: string | null }

const timeoutMs = 5_000

/**
 * Creates the payment of an order with the shop's secret. A repeated order gets its existing payment, or another one
 * after that has failed.
 * @returns a function that returns null while the service is unreachable: the tag then creates the payment by itself.
 */
export function createPaymentMaker({ bff, origin, apiKey, apiSecret }: StorefrontConfig) {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  return async ({ id, amount, currency, network }: Order): Promise<MadePayment | null> => {
    const { currency: priceCurrency } = pricesIn(currency)
    // Dollar stablecoins are requested by amount; euro stablecoins by price, which needs no rate either.
    const asked = priceCurrency === 'USD' ? { amount } : { price: amount, priceCurrency }
    const body = JSON.stringify({ ...asked, currency, network, orderId: id, callbackUrl: `${origin}/webhooks` })
    try {
      return await withTimeout(timeoutMs, [], async (signal) => {
        const url = `${bff}/api/v1/deposits/create?include=qr`
        const response = await fetch(url, { method: 'POST', headers, body, signal })
        const text = await response.text()
        const { payment } = JSON.parse(text) as { payment?: { id: string; clientSecret?: string } }
        if (!response.ok || !payment) return null
        const isNew = response.headers.get('Idempotent-Replayed') === null
        const replica = response.headers.get('X-Replica')
        return { id: payment.id, clientSecret: payment.clientSecret ?? '', answer: isNew ? text : null, replica }
      })
    } catch {
      return null
    }
  }
}
