import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, setHeader } from '../../http/env.ts'
import { type ElementFile, type ElementFiles, type Encoding, nameWithoutHash } from './element-files.ts'

/** A year, the most that caches are asked to believe. */
const immutable = 'public, max-age=31536000, immutable'

/** A shop gets a new version within five minutes, and a customer waits for no question in between. */
const shortLived = 'public, max-age=300, stale-while-revalidate=86400'

/**
 * The script that a page loads, at an address that stays and at one that holds its hash, and the chunks, whose names hold
 * theirs. An address with the hash of another build's script leads to the one that stays: a shop's page may be older than this
 * service, and must go on selling. Where the page gives an `integrity`, the browser refuses what is not the file that was meant.
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
    if (file) return await answer(c, file, name === file.hashedName)
    const stable = files.find(nameWithoutHash(name) ?? '')
    if (!stable) return await next()
    setHeader(c, 'Cache-Control', 'no-cache')
    return c.redirect(`/${stable.name}`, 302)
  })
}

async function answer(c: Context<Env>, file: ElementFile, isHashed: boolean) {
  const encoding = encodingFor(c.req.header('accept-encoding') ?? '')
  const etag = `W/"${file.integrity.slice(7, 39)}"`
  setHeader(c, 'Cache-Control', isHashed ? immutable : shortLived)
  setHeader(c, 'ETag', etag)
  setHeader(c, 'Vary', 'Accept-Encoding')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  setHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  if (encoding) setHeader(c, 'Content-Encoding', encoding)
  return c.body(Uint8Array.from(await file.body(encoding)), 200, { 'Content-Type': 'text/javascript; charset=utf-8' })
}

function encodingFor(accepted: string): Encoding | null {
  const names = accepted
    .split(',')
    .flatMap((text) => (/;\s*q=0(\.0*)?\s*$/.test(text) ? [] : text.split(';')[0]?.trim()))
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? null
}
