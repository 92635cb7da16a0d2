import type { MiddlewareHandler } from 'hono'
import type { Runtime } from '../core/runtime.ts'
import { type Env, setHeader } from './env.ts'

/** The version that serves every path today, versioned or not. */
export const apiVersion = 'v1'

/** A browser may keep the answer to a preflight this long: Chromium's own maximum. */
const preflightMaxAgeSeconds = 7200

/**
 * What every answer carries. Any page may call with a public key, so any origin is allowed, without cookies;
 * the headers of API key and secret are never allowed, so that a page which tries to use a secret fails at once.
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
      'X-API-Version, X-Request-Id, Idempotent-Replayed, Deprecation, Retry-After',
    )
    if (c.req.method !== 'OPTIONS') return await next()
    setHeader(c, 'Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    setHeader(c, 'Access-Control-Allow-Headers', 'Content-Type, X-Public-Key, Idempotency-Key')
    setHeader(c, 'Access-Control-Max-Age', String(preflightMaxAgeSeconds))
    return c.body(null, 204)
  }
}
