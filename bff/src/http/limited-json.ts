import type { Context } from 'hono'
import type { Env } from './env.ts'

/** The body as JSON; undefined when it is not JSON. For routes that accept any body. */
export async function limitedJson(c: Context<Env>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text())
  } catch {
    return undefined
  }
}
