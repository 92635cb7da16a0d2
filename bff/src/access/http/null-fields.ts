import type { MiddlewareHandler } from 'hono'
import type { Env } from '../context/env.ts'
import { isNested, verifyDepth } from './body-limit.ts'

/**
 * Clients of many languages send a field that they have no value for as null: of a body that is posted, such
 * a field is absent. The fields of what is nested stay as they are, because null is a value in metadata. In
 * changes (PUT, PATCH), null removes a value.
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
        // Hono reads a body that was read before from this cache. The value is a promise, unlike its type.
        c.req.bodyCache.text = Promise.resolve(JSON.stringify(kept)) as unknown as string
      }
    }
    await next()
  }
}

/** What is not JSON is refused where the body is validated. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
