import { createHash } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { type Env, setHeader } from '../context/env.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import { exampleOrigin } from './render-operation.ts'
import { type Reference, renderReference } from './render-page.ts'
import { style } from './style.ts'

/** The pages consist of text and one style sheet of this service, so no script may run. */
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A body that browsers cache but revalidate at each use, because a new version of the service can change it at any time. */
export function revalidatedBody(c: Context<Env>, text: string, type: string) {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`
  setHeader(c, 'Cache-Control', 'no-cache')
  setHeader(c, 'ETag', etag)
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  return c.body(text, 200, { 'Content-Type': type })
}

type Deps = { readReference: () => Reference; limits: Pick<RateLimits, 'unauthenticated'> }

/** The reference at `/docs`, a page for each task, made once from the OpenAPI document. Examples use the address of the request. */
export function referenceRoutes(app: OpenAPIHono<Env>, { readReference, limits }: Deps) {
  let pages: ReadonlyMap<string, string> | undefined
  app.get('/docs/reference.css', limits.unauthenticated, (c) => revalidatedBody(c, style, 'text/css; charset=utf-8'))
  app.on('GET', ['/docs', '/docs/:page'], limits.unauthenticated, async (c, next) => {
    pages ??= renderReference(readReference())
    const text = pages.get(c.req.path)
    if (text === undefined) return await next()
    const origin = c.get('origin')
    const shown = origin === null ? text : text.replaceAll(exampleOrigin, () => String(html`${origin}`))
    setHeader(c, 'Content-Security-Policy', policy)
    return revalidatedBody(c, shown, 'text/html; charset=UTF-8')
  })
}
