import type { MiddlewareHandler } from 'hono'
import { ValidationError } from '../core/errors.ts'
import type { Env } from '../http/env.ts'
import { isNested, verifyDepth } from '../http/json-depth.ts'
import { forbiddenKeyOf } from './request-schemas.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => isNested(value) && !Array.isArray(value)

/** Routes that take metadata. */
const createPath = /\/create$/

/**
 * For `lenientClients`: a nested value of `metadata` goes on as its JSON text, on every route that takes metadata, so that
 * it passes the schema, which knows plain values only. Anything else is left as it is, for the schema to judge.
 * The body as it was sent stays in `bodyAsSent`.
 */
export function lenientMetadata(): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { method, path } = c.req
    if (method === 'POST' && createPath.test(path) && /\bjson\b/i.test(c.req.header('content-type') ?? '')) {
      const body = parsed(await c.req.text())
      if (isFields(body) && isFields(body['metadata']) && Object.values(body['metadata']).some(isNested)) {
        // What the framework reads the body from once it was read: a promise, whatever its type says.
        c.req.bodyCache.text = Promise.resolve(flattened(body, body['metadata'])) as unknown as string
        c.set('bodyAsSent', body)
      }
    }
    await next()
  }
}

/** @throws {ValidationError} when it is nested too deeply, or holds a key that metadata must not have. */
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
