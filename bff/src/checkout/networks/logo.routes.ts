import { createHash } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type Env, setHeader } from '../../access/context/env.ts'
import { assetNames, readAsset } from '../../assets.ts'

/** 30 days: logos change less than once a year, and a shop may show an old logo for a while. */
const cacheControl = 'public, max-age=2592000, stale-while-revalidate=2592000'

/** Blocks all scripts and loads when a browser opens the SVG as a document. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Serves `/logos/networks/{name}.svg` and `/logos/tokens/{name}.svg`, the URLs in `logo` fields. Pages of any origin
 * may embed them. All logos, about 12 kB, are held in memory.
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
    // Passed with the body, because `setHeader` would add a second type, text/plain.
    return c.body(logo.text, 200, { 'Content-Type': 'image/svg+xml' })
  })
}
