import type { MiddlewareHandler } from 'hono'
import type { Runtime } from '../../core/runtime.ts'
import { type Env, setHeader } from '../context/env.ts'

/** The API version of every path, including paths without a version. */
export const apiVersion = 'v1'

/** How long a browser may cache a preflight: Chromium's maximum. */
const preflightMaxAgeSeconds = 7200

/** x402's client library sends the last of these with its requests. */
const allowedHeaders = 'Content-Type, X-Public-Key, Idempotency-Key, PAYMENT-SIGNATURE, Access-Control-Expose-Headers'

/**
 * The headers of every response. Any page may call with a public key, so any origin is allowed, without cookies. The headers
 * of API key and secret are never allowed, so that a page which tries to use a secret fails at once.
 */
export function commonHeaders(runtime: Runtime): MiddlewareHandler<Env> {
  return async (c, next) => {
    const requestId = runtime.newUuid()
    c.set('requestId', requestId)
    setHeader(c, 'X-Request-Id', requestId)
    setHeader(c, 'X-API-Version', apiVersion)
    setHeader(c, 'Access-Control-Allow-Origin', '*')
    setHeader(
      c,
      'Access-Control-Expose-Headers',
      'X-API-Version, X-Request-Id, Idempotent-Replayed, Deprecation, Retry-After, PAYMENT-REQUIRED, PAYMENT-RESPONSE',
    )
    if (c.req.method !== 'OPTIONS') return await next()
    setHeader(c, 'Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    setHeader(c, 'Access-Control-Allow-Headers', allowedHeaders)
    setHeader(c, 'Access-Control-Max-Age', String(preflightMaxAgeSeconds))
    return c.body(null, 204)
  }
}
