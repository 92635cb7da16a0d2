import type { OpenAPIHono } from '@hono/zod-openapi'
import { type Env, setHeader } from '../../access/context/env.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Db } from '../../db/db.ts'
import { loadLogo } from '../../merchant/branding-store.ts'
import { logoContentType, logoNamePattern } from '../../merchant/logo-picture.ts'
import { drawNeutralIcon } from './neutral-icon.ts'

/** The icon on pages of merchants without a logo. */
export const neutralIconPath = '/logos/merchants/none.png'

/** One year, the longest time that caches honour: the name holds the content's hash. */
const immutable = 'public, max-age=31536000, immutable'

type Deps = { db: Db; limits: Pick<RateLimits, 'unauthenticated'> }

/** The neutral icon may change with a release. */
const shortLived = 'public, max-age=86400'

/** Serves `/logos/merchants/{hash}.{type}`, the logos that merchants uploaded, as images only. */
export function merchantLogoRoute(app: OpenAPIHono<Env>, { db, limits }: Deps) {
  let neutralIcon: Buffer | undefined

  app.get('/logos/merchants/:name', limits.unauthenticated, async (c, next) => {
    const name = c.req.param('name')
    const isNeutral = c.req.path === neutralIconPath
    if (isNeutral) neutralIcon ??= drawNeutralIcon()
    const stored = logoNamePattern.test(name) ? await db.read((tx) => loadLogo(tx, name)) : undefined
    const picture = isNeutral ? neutralIcon : stored
    if (!picture) return await next()
    setHeader(c, 'Cache-Control', isNeutral ? shortLived : immutable)
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    setHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
    setHeader(c, 'Content-Security-Policy', "default-src 'none'; sandbox")
    return c.body(Uint8Array.from(picture), 200, { 'Content-Type': logoContentType(name) })
  })
}
