import type { MiddlewareHandler } from 'hono'
import type { Env } from '../access/context/env.ts'
import { isNested, verifyDepth } from '../access/http/body-limit.ts'
import { ValidationError } from '../core/errors.ts'
import { forbiddenKeyOf } from './wire/request-schemas.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => isNested(value) && !Array.isArray(value)

/**
 * For `lenientClients`: replaces each nested value of a create's `metadata` by its JSON text, because the schema allows
 * only plain values. The schema checks everything else. `bodyAsSent` keeps the original body.
 */
export function lenientMetadata(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (/\bjson\b/i.test(c.req.header('content-type') ?? '')) {
      const body = parsed(await c.req.text())
      if (isFields(body) && isFields(body['metadata']) && Object.values(body['metadata']).some(isNested)) {
        // Hono reads an already consumed body from this cache. The value is a promise, despite its type.
        c.req.bodyCache.text = Promise.resolve(flattened(body, body['metadata'])) as unknown as string
        c.set('bodyAsSent', body)
      }
    }
    await next()
  }
}

/** @throws {ValidationError} when the body is nested too deeply or metadata has a forbidden key. */
function flattened(body: Fields, metadata: Fields): string {
  verifyDepth(body)
  const values = Object.entries(metadata).map(([key, value]) => {
    if (!isNested(value)) return [key, value]
    const text = JSON.stringify(value, (inner, innerValue) => {
      const forbidden = forbiddenKeyOf([inner])
      if (forbidden !== undefined) throw new ValidationError(`metadata must not have the key ${forbidden}`)
      return innerValue
    })
    return [key, text]
  })
  return JSON.stringify({ ...body, metadata: Object.fromEntries(values) })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
