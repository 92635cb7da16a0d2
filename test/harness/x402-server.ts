import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { x402Client } from '@x402/core/client'
import { x402HTTPClient } from '@x402/core/client'
import { decodePaymentResponseHeader, HTTPFacilitatorClient } from '@x402/core/http'
import type { AssetAmount, PaymentPayload, SchemeNetworkServer } from '@x402/core/types'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import type { Price } from '../../demo/examples/paid-api/charge.ts'
import { createPayTo } from '../../demo/examples/paid-api/pay-to.ts'
import { listen } from './listen.ts'
import type { Story } from './story.ts'

type Route = {
  /** CAIP-2. */
  network: `${string}:${string}`
  scheme: SchemeNetworkServer
  /** The route's price, as the service and x402's server express it. */
  price: Price
  asset: AssetAmount
}

/** A merchant's server with x402's own middleware, whose facilitator is the service. `served`: how often the route was served. */
export async function openX402Server({ bff }: Story, { network, scheme, price, asset }: Route) {
  const { apiKey, apiSecret } = bff.merchant
  const keys = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  const facilitator = new HTTPFacilitatorClient({
    url: `${bff.url()}/x402`,
    createAuthHeaders: async () => ({ verify: keys, settle: keys, supported: keys }),
  })
  const resource = 'https://api.example/report'
  const payTo = createPayTo({ url: bff.url(), apiKey, apiSecret }, { ...price, resource, clientOf: () => '192.0.2.1' })
  const app = new Hono()
  app.use(
    paymentMiddleware(
      { 'GET /report': { resource, accepts: { scheme: 'exact', network, payTo, price: asset } } },
      new x402ResourceServer(facilitator).register(network, scheme),
    ),
  )
  app.get('/report', (c) => c.json({ report: 'Sales were up.' }))
  const { origin, close } = await listen(createServer(getRequestListener(app.fetch)))

  const ask = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/report`, { headers })
    const told = response.headers.get('PAYMENT-RESPONSE')
    return {
      status: response.status,
      body: (await response.json()) as unknown,
      settlement: told === null ? undefined : decodePaymentResponseHeader(told),
    }
  }

  return {
    url: `${origin}/report`,
    close,
    ask,

    /** The route's requirements, read with the client's own library. */
    async required(client: x402Client) {
      const response = await fetch(`${origin}/report`)
      const http = new x402HTTPClient(client)
      return http.getPaymentRequiredResponse((name) => response.headers.get(name), await response.json())
    },

    /** A request with this proof. */
    present: (client: x402Client, proof: PaymentPayload) =>
      ask(new x402HTTPClient(client).encodePaymentSignatureHeader(proof)),
  }
}
