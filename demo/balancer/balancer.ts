import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { getConnInfo } from '@hono/node-server/conninfo'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { type Context, Hono } from 'hono'
import { request } from 'undici'

/** One process of the service. `name` is the value of the header. */
export type Replica = { name: string; url: string }

/** Interval between readiness checks of each replica. */
const probeEveryMs = 250
/** A replica without a response by then is not ready. */
const probeTimeoutMs = 1_000

/**
 * Forwards each request to the next ready replica, and names it in the response: `X-Replica`, and `Server-Timing` for a
 * page's script. If none is ready, each is asked in turn, so that the caller gets the service's own error.
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
        // Required for a page of another origin, such as the shop, to read the timing.
        response.headers.set('Timing-Allow-Origin', '*')
        return response
      } catch (error) {
        ready.delete(replica)
        if (!signal.aborted && (wasNotSent(error) || isRepeatable(c))) continue
        return failure(c, 502, `Replica ${replica.name} ended during the request.`)
      }
    }
    return failure(c, 503, 'No replica of the service is reachable.')
  })

  return {
    app,
    /** Polls the readiness of all replicas. */
    watch(): { stop(): void } {
      const timers = replicas.map((replica) => setInterval(() => void probe(replica), probeEveryMs))
      return { stop: () => timers.forEach(clearInterval) }
    },
  }
}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** Keeps the client's `Host`, which `fetch` would replace: the dashboard is served at one host only. */
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

/** Connection refused, so the service has not received the request. */
const wasNotSent = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === 'ECONNREFUSED'

/** A request without side effects, or one that the service executes only once. */
const isRepeatable = (c: Context): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || c.req.header('idempotency-key') !== undefined

/** An error body in the service's format. */
function failure(c: Context, status: 502 | 503, message: string) {
  return c.json({ success: false, error: 'Service unavailable', message, code: 'NO_REPLICA' }, status, {
    'Retry-After': '1',
    'Access-Control-Allow-Origin': '*',
  })
}
