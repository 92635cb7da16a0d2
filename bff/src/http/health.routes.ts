import type { OpenAPIHono } from '@hono/zod-openapi'
import { apiVersion } from './common-headers.ts'
import type { Env } from './env.ts'

/** Not versioned: they answer under `/api` only. */
export function healthRoutes(app: OpenAPIHono<Env>) {
  app.get('/api/health', (c) => c.json({ success: true, status: 'ok' }))
  app.get('/api/versions', (c) =>
    c.json({
      success: true,
      versions: [{ version: apiVersion, status: 'current' }],
      current: apiVersion,
      resolved: apiVersion,
    }),
  )
}
