import { createHash } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import type { Env } from '../env.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import { exampleOrigin } from './render-operation.ts'
import { type Reference, renderReference } from './render-page.ts'
import { style } from './style.ts'

/** The pages are text and one style sheet of this service: no script runs on them. */
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Changes with the style, so that a browser that has an older one asks for the new. */
const styleTag = `"${createHash('sha256').update(style).digest('base64url').slice(0, 16)}"`

type Deps = { readReference: () => Reference; limits: Pick<RateLimits, 'unauthenticated'> }

/** The reference at `/docs`, a page for each task, made once from the OpenAPI document. Examples name the address of the request. */
export function referenceRoutes(app: OpenAPIHono<Env>, { readReference, limits }: Deps) {
  let pages: ReadonlyMap<string, string> | undefined
  app.get('/docs/reference.css', limits.unauthenticated, (c) =>
    c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=3600', ETag: styleTag }),
  )
  app.on('GET', ['/docs', '/docs/:page'], limits.unauthenticated, async (c, next) => {
    pages ??= renderReference(readReference())
    const text = pages.get(c.req.path)
    if (text === undefined) return await next()
    const origin = c.get('origin')
    const shown = origin === null ? text : text.replaceAll(exampleOrigin, () => String(html`${origin}`))
    return c.html(shown, 200, { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' })
  })
}
