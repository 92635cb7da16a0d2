import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'

const sourcesAnswer = z.object({
  success: z.literal(true),
  sources: z
    .array(z.object({ chainId: z.int(), name: z.string(), currencies: z.array(z.string()) }))
    .openapi({ description: 'Empty until this service has a bridge.' }),
  message: z.string(),
})

const route = createRoute({
  method: 'get',
  path: '/payments/cross-chain/sources',
  summary: 'Chains that a customer can pay from',
  responses: {
    200: { description: 'the chains', content: { 'application/json': { schema: sourcesAnswer } } },
    ...schemas.errorResponses,
  },
})

/** No key is needed: a checkout page asks. */
export function crossChainSourcesRoute(app: OpenAPIHono<Env>) {
  app.openapi(route, (c) => {
    const message = 'Cross-chain payments are not supported yet: a customer pays on the network of the payment.'
    return c.json({ success: true as const, sources: [], message }, 200)
  })
}
