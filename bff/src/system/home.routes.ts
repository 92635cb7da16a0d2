import type { OpenAPIHono } from '@hono/zod-openapi'
import { type Env, setHeader } from '../access/context/env.ts'
import { preferredLanguage } from '../access/http/preferred-language.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { type HomeLanguage, homePolicy, homeTexts, renderHomePage } from './home-page.ts'

type Deps = { hasDashboard: boolean; limits: Pick<RateLimits, 'unauthenticated'> }

/** `/`, for people who open the bare address of the service. */
export function homeRoutes(app: OpenAPIHono<Env>, { hasDashboard, limits }: Deps) {
  app.get('/', limits.unauthenticated, (c) => {
    setHeader(c, 'Content-Security-Policy', homePolicy)
    setHeader(c, 'Referrer-Policy', 'no-referrer')
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    setHeader(c, 'Cache-Control', 'no-cache')
    setHeader(c, 'Vary', 'Accept-Language')
    return c.html(renderHomePage(preferredLanguage(c.req.header('accept-language'), isKnown), hasDashboard))
  })
}

const isKnown = (code: string): code is HomeLanguage => Object.hasOwn(homeTexts, code)
