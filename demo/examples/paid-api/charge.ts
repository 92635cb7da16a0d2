import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** The service's URL, and the merchant's key and secret. */
export type Service = { url: string; apiKey: string; apiSecret: string }

/** The price of one request. */
export type Price = { amount: string; currency: 'USDC' | 'USDT'; network: string }

/**
 * Charges the client of a request by x402. Any response but a 200 is the response to the client: payment required
 * (402), or payment under way (202).
 */
export async function charge(c: Context, { url, apiKey, apiSecret }: Service, price: Price): Promise<Response> {
  const paymentSignature = c.req.header('payment-signature')
  // Keyed by route: anyone can vary the query.
  const { origin, pathname } = new URL(c.req.url)
  const answer = await fetch(`${url}/api/v1/x402/charge`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    body: JSON.stringify({ ...price, resource: origin + pathname, client: clientOf(c), paymentSignature }),
  })
  const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After']) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(await answer.text(), { status: answer.status, headers })
}

/**
 * The client's address, so that one client cannot use up the payments of the others. Behind your own proxy: the address reported by the
 * proxy.
 */
const clientOf = (c: Context): string | undefined => getConnInfo(c).remote.address
