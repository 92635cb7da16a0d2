import { z } from '@hono/zod-openapi'
import { setHeader } from '../access/context/env.ts'
import { defineOperation } from '../access/context/operation.ts'
import { apiVersion } from '../access/http/common-headers.ts'
import { jsonContent } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { instanceHeader } from './instance.ts'
import type { ReadReadiness } from './readiness.ts'

/** These routes have no version: they are served only under `/api`. */
const servers = [{ url: '/api' }]

const healthRoute = defineOperation({
  method: 'get',
  path: '/health',
  access: 'open',
  operationId: 'readHealth',
  tags: ['system'],
  servers,
  summary: 'Whether the process is alive',
  responses: {
    200: jsonContent('the process is alive', z.object({ success: z.literal(true), status: z.literal('ok') })),
  },
})

const readyResponse = z.object({ success: z.boolean(), ready: z.boolean(), reasons: z.array(z.string()) })

const readyRoute = defineOperation({
  method: 'get',
  path: '/ready',
  access: 'open',
  operationId: 'readReadiness',
  tags: ['system'],
  servers,
  summary: 'Whether this process accepts requests',
  responses: {
    200: jsonContent('the process accepts requests', readyResponse),
    503: jsonContent('`reasons` say why not', readyResponse),
  },
})

const versionsResponse = z.object({
  success: z.literal(true),
  versions: z.array(
    z.object({
      version: z.string(),
      status: z.string().openapi({
        description: '`current`, or `deprecated`: responses then carry the header `Sunset` with the end date.',
      }),
    }),
  ),
  current: z.string().openapi({ description: 'The version of paths without a version.' }),
  resolved: z.string().openapi({ description: 'The version that answered this request.' }),
})

const versionsRoute = defineOperation({
  method: 'get',
  path: '/versions',
  access: 'open',
  operationId: 'listVersions',
  tags: ['system'],
  servers,
  summary: 'The versions of this API',
  responses: { 200: jsonContent('the versions', versionsResponse) },
})

/**
 * @param api - The API without a version: the paths are below `/api`.
 * @param instance - Identifies the responding process to `doctor`.
 */
export function healthRoutes(api: Operations, isReady: ReadReadiness, instance: string) {
  api.serve(healthRoute, (c) => {
    setHeader(c, instanceHeader, instance)
    return c.json({ success: true as const, status: 'ok' as const }, 200)
  })
  api.serve(readyRoute, (c) => {
    const { isReady: ready, reasons } = isReady()
    return c.json({ success: ready, ready, reasons: [...reasons] }, ready ? 200 : 503)
  })
  api.serve(versionsRoute, (c) => {
    const versions = [{ version: apiVersion, status: 'current' }]
    return c.json({ success: true as const, versions, current: apiVersion, resolved: apiVersion }, 200)
  })
}
