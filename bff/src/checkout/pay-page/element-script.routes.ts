import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, setHeader } from '../../access/context/env.ts'
import { encodingFor } from '../../access/http/compression.ts'
import { type ElementFile, type ElementFiles, nameWithoutHash } from './element-files.ts'

/** One year, the longest time that caches honour. */
const immutable = 'public, max-age=31536000, immutable'

/** Shops receive a new version within five minutes; until then, browsers do not revalidate. */
const shortLived = 'public, max-age=300, stale-while-revalidate=86400'

/**
 * Serves the element's script at a stable URL and at a hashed URL, and its chunks at hashed URLs. A URL with another
 * build's hash redirects to the stable URL, so that older shop pages keep working. If the page sets `integrity`, the
 * browser refuses a different file.
 */
export function elementScriptRoutes(app: OpenAPIHono<Env>, files: ElementFiles) {
  app.get('/stablecoin-checkout.json', (c) => {
    setHeader(c, 'Cache-Control', shortLived)
    const entries = files.files.map(({ name, hashedName, integrity }) => [name, { url: `/${hashedName}`, integrity }])
    return c.json(Object.fromEntries(entries))
  })

  app.get('/:file{stablecoin-checkout[\\w.-]*\\.m?js}', async (c, next) => {
    const name = c.req.param('file')
    const file = files.find(name)
    if (file) return await respond(c, file, name === file.hashedName)
    const stable = files.find(nameWithoutHash(name) ?? '')
    if (!stable) return await next()
    setHeader(c, 'Cache-Control', 'no-cache')
    return c.redirect(`/${stable.name}`, 302)
  })
}

async function respond(c: Context<Env>, file: ElementFile, isHashed: boolean) {
  const encoding = encodingFor(c.req.header('accept-encoding') ?? '')
  const etag = `W/"${file.integrity.slice(7, 39)}"`
  setHeader(c, 'Cache-Control', isHashed ? immutable : shortLived)
  setHeader(c, 'ETag', etag)
  setHeader(c, 'Vary', 'Accept-Encoding')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  setHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  if (encoding) setHeader(c, 'Content-Encoding', encoding)
  return c.body(await file.body(encoding), 200, { 'Content-Type': 'text/javascript; charset=utf-8' })
}
