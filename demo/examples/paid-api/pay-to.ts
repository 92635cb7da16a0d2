import type { Price, Service } from './charge.ts'

/** The request in the form of the middleware of `@x402/hono` and similar packages. */
type Asked = { paymentHeader?: string; path: string }

/** Number of remembered addresses: some hours of a busy route. */
const offeredMax = 10_000

/**
 * `payTo` for a route of `@x402/hono` with the service as facilitator: each request has its own address, so that one
 * proof pays one request.
 * @param resource - As named by the route, without the query.
 * @param clientOf - The client's address, so that one client cannot use up the payments of the others.
 */
export function createPayTo<Context extends Asked>(
  { url, apiKey, apiSecret }: Service,
  { resource, clientOf, ...price }: Price & { resource: string; clientOf: (context: Context) => string | undefined },
): (context: Context) => Promise<string> {
  const offered = new Set<string>()

  return async (context) => {
    const signed = addressOf(context.paymentHeader)
    // Only addresses created here are accepted: another payment's address would be paid and used twice.
    if (signed !== undefined && offered.has(signed)) return signed
    const answer = await fetch(`${url}/api/v1/x402/charge`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
      body: JSON.stringify({ ...price, resource, client: clientOf(context) }),
    })
    const { accepts, message } = (await answer.json()) as { accepts?: { payTo: string }[]; message: string }
    const payTo = accepts?.[0]?.payTo
    if (payTo === undefined) throw new Error(message)
    offered.add(payTo)
    const [oldest] = offered
    if (offered.size > offeredMax && oldest !== undefined) offered.delete(oldest)
    return payTo
  }
}

/** The address in the client's proof; undefined without a valid proof. */
function addressOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  try {
    const proof = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepted?: { payTo?: unknown } }
    const payTo = proof.accepted?.payTo
    return typeof payTo === 'string' ? payTo : undefined
  } catch {
    return undefined
  }
}
