import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { getConnInfo } from '@hono/node-server/conninfo'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { type Context, Hono } from 'hono'
import { request } from 'undici'

/** One process of the service. `name` is what the header says. */
export type Replica = { name: string; url: string }

/** Between two readings of each replica's readiness. */
const probeEveryMs = 250
/** A replica that has not said by then whether it is ready is not. */
const probeTimeoutMs = 1_000

/**
 * Hands each request to the next replica that is ready, and names it in the answer: `X-Replica`, and `Server-Timing` for a page's
 * script. Where none is ready, each is asked in turn, so that the caller reads the service's own reason.
 */
export function createBalancer(replicas: readonly Replica[]) {
  const ready = new Set<Replica>()
  let turn = 0

  function inTurn(): Replica[] {
    turn = (turn + 1) % replicas.length
    const rotated = [...replicas.slice(turn), ...replicas.slice(0, turn)]
    return ready.size === 0 ? rotated : rotated.filter((replica) => ready.has(replica))
  }

  async function probe(replica: Replica): Promise<void> {
    const isReady = await withTimeout(probeTimeoutMs, [], async (signal) => {
      const response = await fetch(`${replica.url}/api/ready`, { signal })
      await response.body?.cancel()
      return response.ok
    }).catch(() => false)
    if (isReady) ready.add(replica)
    else ready.delete(replica)
  }

  const app = new Hono()
  app.all('*', async (c) => {
    const { method, signal } = c.req.raw
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const body = hasBody ? await c.req.arrayBuffer() : null
    const { pathname, search } = new URL(c.req.url)
    const headers = forwardedHeaders(c)
    for (const replica of inTurn()) {
      try {
        const response = await forward(replica.url + pathname + search, {
          method,
          headers,
          body: body && new Uint8Array(body),
          signal,
        })
        response.headers.set('X-Replica', replica.name)
        response.headers.append('Server-Timing', `replica;desc="${replica.name}"`)
        // Without it a page of another origin, as the shop's is, may not read the timing.
        response.headers.set('Timing-Allow-Origin', '*')
        return response
      } catch (error) {
        ready.delete(replica)
        if (!signal.aborted && (wasNotSent(error) || isRepeatable(c))) continue
        return failure(c, 502, `Replica ${replica.name} ended while it worked for the request.`)
      }
    }
    return failure(c, 503, 'No replica of the service can be reached.')
  })

  return {
    app,
    /** Reads the readiness of all, again and again. */
    watch(): { stop(): void } {
      const timers = replicas.map((replica) => setInterval(() => void probe(replica), probeEveryMs))
      return { stop: () => timers.forEach(clearInterval) }
    },
  }
}

/** Of one connection, not of the request (RFC 9110, 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** With the `Host` that the client has sent, which `fetch` would replace: the dashboard is at one address only. */
function forwardedHeaders(c: Context): Record<string, string> {
  const { address } = getConnInfo(c).remote
  return {
    ...Object.fromEntries(Object.entries(c.req.header()).filter(([name]) => !hopByHop.includes(name))),
    'x-forwarded-proto': 'http',
    ...(address !== undefined && { 'x-forwarded-for': address }),
  }
}

async function forward(url: string, options: NonNullable<Parameters<typeof request>[1]>): Promise<Response> {
  const { statusCode: status, headers: received, body } = await request(url, options)
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    if (hopByHop.includes(name)) continue
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  const hasBody = status !== 204 && status !== 304
  if (!hasBody) await body.dump()
  return new Response(hasBody ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : null, { status, headers })
}

/** Refused before a connection was made, so that nothing of the request has reached the service. */
const wasNotSent = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === 'ECONNREFUSED'

/** A request that changes nothing, or that the service does only once. */
const isRepeatable = (c: Context): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || c.req.header('idempotency-key') !== undefined

/** In the form of the service's own errors. */
function failure(c: Context, status: 502 | 503, message: string) {
  return c.json({ success: false, error: 'Service unavailable', message, code: 'NO_REPLICA' }, status, {
    'Retry-After': '1',
    'Access-Control-Allow-Origin': '*',
  })
}
