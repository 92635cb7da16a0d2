import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, setHeader } from '../../access/context/env.ts'
import { compressedBody, encodingFor } from '../../access/http/compression.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { assetNames, readAsset } from '../../assets.ts'
import { PaymentError } from '../../core/errors.ts'
import { localhostInstead, type PageOrigin } from './page-origin.ts'

/** A year, the maximum for caches: these file names contain a hash of the content. */
const immutable = 'public, max-age=31536000, immutable'

/** Always revalidated, because the page names the files of its own build. */
const revalidated = 'no-cache'

const indexName = 'index.html'
/** The page of a till, which is separate from the dashboard's page. */
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
 * Allows scripts, styles, images and requests of this service only; no frames around or inside the page. The element on the page
 * has its own copy of Lit, so two policies have that name.
 * @param publicUrl - Origin of logos in responses: on a developer's machine, it differs from the page's.
 * @param formTarget - The only origin to which forms may be posted; absent: none.
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

/** Sets the headers of a dashboard HTML page. `publicUrl` and `formTarget`: as for its policy. */
export function pageHeaders(c: Context<Env>, publicUrl: string | null, formTarget?: string): void {
  setHeader(c, 'Content-Security-Policy', pagePolicy(publicUrl, formTarget))
  setHeader(c, 'X-Frame-Options', 'DENY')
  setHeader(c, 'Cross-Origin-Opener-Policy', 'same-origin')
  setHeader(c, 'Referrer-Policy', 'no-referrer')
}

type DashboardFile = { etag: string; body: ReturnType<typeof compressedBody>; type: string }

/** The built page, in memory; empty if it is not built. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

/** Whether only the set-up page loads the file; a configured service does not keep it. */
const isOfSetup = (name: string): boolean => /(^|\/)setup[-.]/.test(name)

/** @param page - `setup`: includes the files of the set-up page. */
export const openDashboardFiles = (page?: 'setup'): DashboardFiles =>
  dashboardFilesOf(
    assetNames('dashboard')
      .filter((name) => page === 'setup' || !isOfSetup(name))
      .map((name) => [name, readAsset('dashboard', name)]),
  )

/** Omits file types that no page requests. */
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

/** Serves `/till`, `/dashboard`, and every path below it that is not a file: the page routes those itself. */
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

/**
 * The same address at `localhost`, for someone who entered 127.0.0.1, where passkeys do not work. The browser keeps the fragment.
 */
function localAddress(c: Context<Env>, pageOf: (c: Context<Env>) => PageOrigin): string | null {
  try {
    pageOf(c)
    return null
  } catch {
    const local = localhostInstead(c)
    return local && local + new URL(c.req.url).pathname
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
  return c.body(await file.body(encoding), 200, { 'Content-Type': file.type })
}
