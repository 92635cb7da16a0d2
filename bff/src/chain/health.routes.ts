import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'
import type { NetworkHealth } from './network-health.ts'
import type { Networks } from './networks.ts'

const healthAnswer = z.object({
  success: z.literal(true),
  status: z
    .enum(['ok', 'degraded', 'down'])
    .openapi({ description: 'All, some or none of the networks can be paid on.' }),
  networks: z.array(z.object({ shortName: z.string(), healthy: z.boolean(), reason: z.string().nullable() })),
})

const route = createRoute({
  method: 'get',
  path: '/payments/health',
  summary: 'Which networks can be paid on now, and why not the others',
  responses: {
    200: { description: 'the networks', content: { 'application/json': { schema: healthAnswer } } },
    ...schemas.errorResponses,
  },
})

type Deps = { networks: Networks; health: NetworkHealth }

export function paymentHealthRoute(app: OpenAPIHono<Env>, { networks, health }: Deps) {
  app.openapi(route, (c) => {
    const shown = [...networks.keys()].map((shortName) => {
      const { isPayable, reason } = health.get(shortName)
      return { shortName, healthy: isPayable, reason }
    })
    const goodOnes = shown.filter(({ healthy }) => healthy).length
    const status = goodOnes === 0 ? 'down' : goodOnes === shown.length ? 'ok' : 'degraded'
    return c.json({ success: true as const, status: status as 'ok' | 'degraded' | 'down', networks: shown }, 200)
  })
}
