import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import type { Networks } from '../../core/families.ts'
import type { NetworkHealth } from '../../network/network-health.ts'

const chainsResponse = z.object({
  success: z.literal(true),
  networks: z.array(
    z.object({ name: z.string(), shortName: z.string(), chainId: z.int().optional(), tokens: z.array(z.string()) }),
  ),
  chains: z.array(z.object({ chainId: z.int(), name: z.string(), shortName: z.string(), confirmations: z.int() })),
})

const route = defineOperation({
  method: 'get',
  path: '/deposits/chains',
  access: 'open',
  operationId: 'listDepositChains',
  tags: ['deposits'],
  summary: 'Chains on which a deposit address can be paid now',
  responses: { 200: jsonContent('the same chains in two forms', chainsResponse), ...errorResponses },
})

type Deps = { networks: Networks; health: NetworkHealth }

/** The route needs no key, because checkout pages call it. Older and newer clients read different lists. */
export function depositChainsRoute(api: Operations, { networks, health }: Deps) {
  api.serve(route, (c) => {
    const payable = [...networks.values()].filter(({ shortName }) => health.get(shortName).isPayable)
    return c.json(
      {
        success: true as const,
        networks: payable.map((network) => {
          const { name, shortName, tokens } = network
          const chainId = familyOf(network).walletChainId(network)
          return {
            name,
            shortName,
            ...(chainId !== null && { chainId }),
            tokens: tokens.map(({ symbol }) => symbol),
          }
        }),
        chains: payable.map(({ chainId, name, shortName, confirmations }) => {
          return { chainId, name, shortName, confirmations }
        }),
      },
      200,
    )
  })
}
