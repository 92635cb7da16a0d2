import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Networks } from '../chain/networks.ts'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'

const chainIdParam = z.object({
  chainId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'chainId must be a whole number')
    .openapi({ param: { name: 'chainId', in: 'path' }, example: '8453' }),
})

const route = createRoute({
  method: 'get',
  path: '/payments/contract/{chainId}',
  summary: 'Contract address and ABI of a chain',
  request: { params: chainIdParam },
  responses: {
    200: {
      description: 'there is no such contract on the chain: `success` is false, and `message` says so',
      content: { 'application/json': { schema: schemas.errorAnswer } },
    },
    ...schemas.errorResponses,
  },
})

/** No key is needed: a checkout page asks. Clients read `success`, not the status code. */
export function contractInfoRoute(app: OpenAPIHono<Env>, { networks }: { networks: Networks }) {
  app.openapi(route, (c) => {
    const { chainId } = c.req.valid('param')
    const network = [...networks.values()].find((one) => String(one.chainId) === chainId)
    const message = network
      ? `Contract payments are not supported on ${network.name} yet; create a deposit instead.`
      : `Chain ${chainId} is not configured.`
    const code = network ? 'CONTRACT_PAYMENTS_NOT_SUPPORTED' : 'NETWORK_NOT_SUPPORTED'
    return c.json({ success: false as const, error: 'Contract not available', message, code }, 200)
  })
}
