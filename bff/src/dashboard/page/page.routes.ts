import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, setHeader } from '../../access/context/env.ts'
import { compressedBody, type Encoding, encodingFor } from '../../access/http/compression.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { assetNames, readAsset } from '../../assets.ts'
import { PaymentError } from '../../core/errors.ts'
import { localhostInstead, type PageOrigin } from './page-origin.ts'

/** A year, the longest time that caches honour: the build has put the content's hash into these names. */
const immutable = 'public, max-age=31536000, immutable'

/** The page names the files of its own build, so it is asked for each time. */
const revalidated = 'no-cache'

const indexName = 'index.html'
/** The page of a till, which is no page of the dashboard. */
const tillName = 'till.html'
const hashedFolder = 'assets/'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Scripts, styles, pictures and requests of this service alone; no frame around the page and none in it. The element, which the page
 * shows too, has Lit of its own, so there are two policies of that name.
 * @param publicUrl - Where the answers say that logos are: on a developer's machine another address than the page's.
 * @param formTarget - The one origin that forms may be posted to; absent: none.
 */
const pagePolicy = (publicUrl: string | null, formTarget = "'none'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${publicUrl?.startsWith('http:') ? ` ${new URL(publicUrl).origin}` : ''}`,
    "font-src 'self'",
    "connect-src 'self'",
    // A till is installed on the device.
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${formTarget}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html notices-worker 'allow-duplicates'",
  ].join('; ')

/** The headers of an HTML page of the dashboard. `publicUrl` and `formTarget`: as in its policy. */
export function pageHeaders(c: Context<Env>, publicUrl: string | null, formTarget?: string): void {
  setHeader(c, 'Content-Security-Policy', pagePolicy(publicUrl, formTarget))
  setHeader(c, 'X-Frame-Options', 'DENY')
  setHeader(c, 'Cross-Origin-Opener-Policy', 'same-origin')
  setHeader(c, 'Referrer-Policy', 'no-referrer')
}

type DashboardFile = { etag: string; body: (encoding: Encoding | null) => Promise<Buffer>; type: string }

/** The built page, held in memory; empty where it is not built. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

/** Files that only the set-up page loads; a configured service keeps none of them. */
const isOfSetup = (name: string): boolean => /(^|\/)setup[-.]/.test(name)

/** @param page - `setup`: with the files of the set-up page. */
export const openDashboardFiles = (page?: 'setup'): DashboardFiles =>
  dashboardFilesOf(
    assetNames('dashboard')
      .filter((name) => page === 'setup' || !isOfSetup(name))
      .map((name) => [name, readAsset('dashboard', name)]),
  )

/** Kinds of files that no page asks for are left out. */
export function dashboardFilesOf(files: readonly (readonly [name: string, text: Buffer])[]): DashboardFiles {
  return new Map(
    files.flatMap(([name, text]) => {
      const type = types[extname(name)]
      if (type === undefined) return []
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`
      return [[name, { etag, body: compressedBody(text), type }] as const]
    }),
  )
}

type Deps = {
  files: DashboardFiles
  publicUrl: string | null
  pageOf: (c: Context<Env>) => PageOrigin
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** `/till`, `/dashboard`, and every address below it that is no file: the page itself tells them apart. */
export function dashboardPageRoutes(app: OpenAPIHono<Env>, { files, publicUrl, pageOf, limits }: Deps) {
  const showPage = async (c: Context<Env>, name: string) => {
    const page = files.get(name)
    if (!page) {
      throw new PaymentError('DASHBOARD_NOT_BUILT', 'The dashboard is not built here: npm run build -w bff.')
    }
    const redirectTo = localAddress(c, pageOf)
    if (redirectTo !== null) return c.redirect(redirectTo, 302)
    pageHeaders(c, publicUrl)
    return await sendFile(c, page, revalidated)
  }
  const answer = async (c: Context<Env>, next: () => Promise<void>) => {
    const name = c.req.path.slice('/dashboard/'.length)
    const file = files.get(name)
    if (file && !name.endsWith('.html'))
      return await sendFile(c, file, name.startsWith(hashedFolder) ? immutable : revalidated)
    if (name.startsWith(hashedFolder)) return await next()
    return await showPage(c, indexName)
  }
  app.get('/till', limits.unauthenticated, (c) => showPage(c, tillName))
  app.get('/dashboard', limits.unauthenticated, answer)
  app.get('/dashboard/*', limits.unauthenticated, answer)
}

/** The same address at `localhost`, for a person who typed 127.0.0.1, where there are no passkeys; the browser keeps the fragment. */
function localAddress(c: Context<Env>, pageOf: (c: Context<Env>) => PageOrigin): string | null {
  try {
    pageOf(c)
    return null
  } catch {
    const local = localhostInstead(c)
    return local && local + c.req.path
  }
}

export async function sendFile(c: Context<Env>, file: DashboardFile, cacheControl: string) {
  const encoding = encodingFor(c.req.header('accept-encoding') ?? '')
  setHeader(c, 'Cache-Control', cacheControl)
  setHeader(c, 'ETag', file.etag)
  setHeader(c, 'Vary', 'Accept-Encoding')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  setHeader(c, 'Cross-Origin-Resource-Policy', 'same-origin')
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304)
  if (encoding) setHeader(c, 'Content-Encoding', encoding)
  return c.body(Uint8Array.from(await file.body(encoding)), 200, { 'Content-Type': file.type })
}
