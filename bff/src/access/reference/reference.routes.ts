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

/**
 * A text of this service. All responses share its bytes, because whoever does not read a response keeps it in memory. Browsers cache it,
 * but revalidate at each use, because a new version of the service can change it at any time.
 */
export type SharedText = { bytes: Uint8Array<ArrayBuffer>; etag: string; type: string }

export function sharedText(text: string, type: string): SharedText {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`
  return { bytes: Uint8Array.from(Buffer.from(text)), etag, type }
}

export function revalidatedBody(c: Context<Env>, { bytes, etag, type }: SharedText) {
  setHeader(c, 'Cache-Control', 'no-cache')
  setHeader(c, 'ETag', etag)
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  return c.body(bytes, 200, { 'Content-Type': type })
}

/**
 * Addresses of the service that examples show. Without `publicUrl` every request names its own, so that a stranger could fill the memory
 * with pages for made-up ones: after these, the examples show a placeholder.
 */
const originsMax = 4

type Deps = { readReference: () => Reference; limits: Pick<RateLimits, 'unauthenticated'> }

/** The reference at `/docs`, a page for each task, made once from the OpenAPI document. Examples use the address of the request. */
export function referenceRoutes(app: OpenAPIHono<Env>, { readReference, limits }: Deps) {
  const styles = sharedText(style, 'text/css; charset=utf-8')
  let pages: ReadonlyMap<string, string> | undefined
  const byOrigin = new Map<string, Map<string, SharedText>>()

  /** The page with the address in its examples. Undefined when there is no such page. */
  function pageFor(origin: string | null, path: string): SharedText | undefined {
    pages ??= renderReference(readReference())
    const text = pages.get(path)
    if (text === undefined) return undefined
    const isKept = origin !== null && (byOrigin.has(origin) || byOrigin.size < originsMax)
    const shown = isKept ? origin : exampleOrigin
    const ofOrigin = byOrigin.get(shown) ?? new Map<string, SharedText>()
    byOrigin.set(shown, ofOrigin)
    const known = ofOrigin.get(path)
    const page =
      known ??
      sharedText(
        text.replaceAll(exampleOrigin, () => String(html`${shown}`)),
        'text/html; charset=UTF-8',
      )
    ofOrigin.set(path, page)
    return page
  }

  app.get('/docs/reference.css', limits.unauthenticated, (c) => revalidatedBody(c, styles))
  app.on('GET', ['/docs', '/docs/:page'], limits.unauthenticated, async (c, next) => {
    const page = pageFor(c.get('origin'), c.req.path)
    if (page === undefined) return await next()
    setHeader(c, 'Content-Security-Policy', policy)
    return revalidatedBody(c, page)
  })
}
