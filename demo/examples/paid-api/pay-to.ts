import type { Price, Service } from './charge.ts'

/** What the middleware of `@x402/hono` and its kin says of a request. */
type Asked = { paymentHeader?: string; path: string }

/** Addresses that are remembered: those of some hours on a busy route. */
const offeredMax = 10_000

/**
 * `payTo` for a route of `@x402/hono` whose facilitator is the service: each request is paid to an address of its own, so that one proof
 * pays one request.
 * @param resource - As the route names it: of all requests to it.
 * @param clientOf - Who asks, so that one client cannot use up the payments of the others.
 */
export function createPayTo<Context extends Asked>(
  { url, apiKey, apiSecret }: Service,
  { resource, clientOf, ...price }: Price & { resource: string; clientOf: (context: Context) => string | undefined },
): (context: Context) => Promise<string> {
  const offered = new Set<string>()

  return async (context) => {
    const signed = addressOf(context.paymentHeader)
    // Only what was asked for here pays here: the address of another payment of yours would be paid, and used twice.
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

/** The address that a client says it pays to; undefined where it sends no proof, or none that can be read. */
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
