import type { MiddlewareHandler } from 'hono'
import type { Env } from '../context/env.ts'
import { isNested, verifyDepth } from './body-limit.ts'

/**
 * Drops null fields of posted bodies, because clients in many languages send a field without a value as null. Nested fields
 * stay, because null is a value in metadata. In changes (PUT, PATCH), null removes a value.
 */
export function dropNullFields(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (/\bjson\b/i.test(c.req.header('content-type') ?? '')) {
      const text = await c.req.text()
      const body = text.includes('null') ? parsed(text) : undefined
      if (isNested(body) && !Array.isArray(body) && Object.values(body).includes(null)) {
        verifyDepth(body)
        c.set('textAsSent', text)
        const kept = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
        // Hono takes a body that was already read from this cache. The value is a promise, unlike its type.
        c.req.bodyCache.text = Promise.resolve(JSON.stringify(kept)) as unknown as string
      }
    }
    await next()
  }
}

/** Undefined when it is not JSON, which the body's validation refuses later. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
