import { createHash } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type Env, setHeader } from '../../access/env.ts'
import { assetNames, readAsset } from '../../assets.ts'

/** Thirty days: a logo changes less often than once a year, and a shop may show the old one for a while. */
const cacheControl = 'public, max-age=2592000, stale-while-revalidate=2592000'

/** For who opens the picture as a page of its own: nothing in it may run or load. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * `/logos/networks/{name}.svg` and `/logos/tokens/{name}.svg`: what `logo` in the answers points to. Any page may show them.
 * All of them together are a dozen kilobytes, held in memory.
 */
export function logoRoutes(app: OpenAPIHono<Env>) {
  const logos = new Map<string, { text: string; etag: string }>(
    (['network-logos', 'token-logos'] as const).flatMap((kind) =>
      assetNames(kind).map((name) => {
        const text = readAsset(kind, name).toString('utf8')
        const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
        return [`${kind === 'network-logos' ? 'networks' : 'tokens'}/${name}`, { text, etag }] as const
      }),
    ),
  )

  app.get('/logos/:kind/:name', async (c, next) => {
    const logo = logos.get(`${c.req.param('kind')}/${c.req.param('name')}`)
    if (!logo) return await next()
    setHeader(c, 'Cache-Control', cacheControl)
    setHeader(c, 'ETag', logo.etag)
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    setHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
    setHeader(c, 'Content-Security-Policy', policy)
    if (c.req.header('if-none-match') === logo.etag) return c.body(null, 304)
    // Not by `setHeader`: a body of text would get the type text/plain beside it.
    return c.body(logo.text, 200, { 'Content-Type': 'image/svg+xml' })
  })
}
