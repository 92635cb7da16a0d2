import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { apiVersion } from '../access/common-headers.ts'
import { jsonContent } from '../access/common-schemas.ts'
import type { Env } from '../access/env.ts'
import type { ReadReadiness } from './readiness.ts'

/** These routes have no version: they are served under `/api` only. */
const servers = [{ url: '/api' }]

const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'readHealth',
  tags: ['system'],
  servers,
  summary: 'Is the process up',
  responses: { 200: jsonContent('it is', z.object({ success: z.literal(true), status: z.literal('ok') })) },
})

const readyResponse = z.object({ success: z.boolean(), ready: z.boolean(), reasons: z.array(z.string()) })

const readyRoute = createRoute({
  method: 'get',
  path: '/ready',
  operationId: 'readReadiness',
  tags: ['system'],
  servers,
  summary: 'May requests be sent to this process',
  responses: { 200: jsonContent('they may', readyResponse), 503: jsonContent('`reasons` say why not', readyResponse) },
})

const versionsResponse = z.object({
  success: z.literal(true),
  versions: z.array(
    z.object({
      version: z.string(),
      status: z.string().openapi({
        description: '`current`, or `deprecated`: its answers then say when it ends, by the header `Sunset`.',
      }),
    }),
  ),
  current: z.string().openapi({ description: 'The version that the paths without a version answer by.' }),
  resolved: z.string().openapi({ description: 'The version that answered this request.' }),
})

const versionsRoute = createRoute({
  method: 'get',
  path: '/versions',
  operationId: 'listVersions',
  tags: ['system'],
  servers,
  summary: 'The versions of this API',
  responses: { 200: jsonContent('the versions', versionsResponse) },
})

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

/** Adds them to the document of the API, whose other paths have a version. */
export function documentHealth(api: OpenAPIHono<Env>): void {
  for (const route of [healthRoute, readyRoute, versionsRoute]) api.openAPIRegistry.registerPath(route)
}
