import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Env } from './env.ts'

/** The path of a route, the same under both prefixes. */
export const withoutPrefix = (path: string): string => path.replace(/^\/api(\/v1)?(?=\/)/, '')

/** What a request asks for, as the OpenAPI document names it, such as `get /payments/{paymentId}`. */
export const operationOf = (c: Context<Env>): string =>
  `${c.req.method.toLowerCase()} ${withoutPrefix(routePath(c)).replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`
