import type { MiddlewareHandler } from 'hono'
import type { Env } from './env.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

/**
 * For `lenientClients`: a nested value of `metadata` goes on as its JSON text, on every route that takes metadata, so that
 * it passes the schema, which knows plain values only. Anything else is left as it is, for the schema to judge.
 */
export function lenientMetadata(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method === 'POST' && /\bjson\b/i.test(c.req.header('content-type') ?? '')) {
      const flat = flattened(await c.req.text())
      // What the framework reads the body from once it was read: a promise, whatever its type says.
      if (flat !== undefined) c.req.bodyCache.text = Promise.resolve(flat) as unknown as string
    }
    await next()
  }
}

/** @returns undefined when there is nothing to change. */
function flattened(text: string): string | undefined {
  const body = parsed(text)
  if (!isFields(body) || !isFields(body['metadata'])) return undefined
  const entries = Object.entries(body['metadata'])
  if (!entries.some(([, value]) => isNested(value))) return undefined
  const metadata = Object.fromEntries(
    entries.map(([key, value]) => [key, isNested(value) ? JSON.stringify(value) : value]),
  )
  return JSON.stringify({ ...body, metadata })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
