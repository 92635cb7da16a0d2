import type { OpenAPIHono } from '@hono/zod-openapi'
import { apiVersion } from '../../http/common-headers.ts'
import type { Env } from '../../http/env.ts'
import type { ReadReadiness } from './readiness.ts'

/** These routes have no version: they are served under `/api` only. */
export function healthRoutes(app: OpenAPIHono<Env>, isReady: ReadReadiness) {
  app.get('/api/health', (c) => c.json({ success: true, status: 'ok' }))
  app.get('/api/ready', (c) => {
    const { isReady: ready, reasons } = isReady()
    return c.json({ success: ready, ready, reasons }, ready ? 200 : 503)
  })
  app.get('/api/versions', (c) =>
    c.json({
      success: true,
      versions: [{ version: apiVersion, status: 'current' }],
      current: apiVersion,
      resolved: apiVersion,
    }),
  )
}
