import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBody, errorResponses, jsonContent, logo } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Networks } from '../../core/families.ts'
import { formatAmount, parseAmount } from '../../core/money.ts'
import { chainLogo, tokenLogo } from '../networks/logo.ts'
import { bridgeDestinations } from './bridge-destinations.ts'
import type { Bridges } from './relay.part.ts'

const sourcesResponse = z.object({
  success: z.literal(true),
  sources: z
    .array(
      z.object({
        chainId: z.int(),
        name: z.string(),
        logo: logo,
        currencies: z.array(z.string()),
        tokens: z.array(z.object({ symbol: z.string(), address: z.string(), decimals: z.int(), logo: logo })),
        minimumAmount: z
          .string()
          .openapi({ description: 'Whole tokens. The bridge may require more.', example: '1.00' }),
      }),
    )
    .openapi({ description: 'Empty where this service has no bridge.' }),
  destinations: z
    .array(
      z.object({
        chainId: z.int(),
        network: z.string().openapi({ description: 'Its `shortName`', example: 'base' }),
        name: z.string(),
        currencies: z.array(z.string()),
      }),
    )
    .openapi({
      description:
        'Networks and tokens of payments that a customer can pay from another chain. A payment in any other is paid on its own network.',
    }),
  message: z.string(),
})

const route = defineOperation({
  method: 'get',
  path: '/payments/cross-chain/sources',
  access: 'open',
  operationId: 'listCrossChainSources',
  tags: ['cross-chain'],
  summary: 'Chains that a customer can pay from',
  responses: {
    200: jsonContent('the chains', sourcesResponse),
    503: jsonContent('The bridge does not answer. Retry after `Retry-After` seconds.', errorBody),
    ...errorResponses,
  },
})

const decimalsMost = 18

/** The route needs no key, because checkout pages call it. */
export function crossChainSourcesRoute(
  api: Operations,
  { bridges, networks }: { bridges: Bridges | null; networks: Networks },
) {
  api.serve(route, async (c) => {
    if (bridges === null) {
      const message = 'Cross-chain payments are not supported here: a customer pays on the network of the payment.'
      return c.json({ success: true as const, sources: [], destinations: [], message }, 200)
    }
    const minimumAmount = formatAmount(parseAmount(bridges.settings.minimumAmount, decimalsMost), decimalsMost)
    const origin = c.get('origin')
    const sources = (await bridges.sources.list()).map(({ chainId, name, tokens }) => ({
      chainId,
      name,
      logo: chainLogo(origin, chainId),
      minimumAmount,
      currencies: [...new Set(tokens.map(({ symbol }) => symbol))],
      tokens: tokens.map(({ symbol, address, decimals }) => {
        return { symbol, address, decimals, logo: tokenLogo(origin, symbol) }
      }),
    }))
    const reached = await bridgeDestinations(networks.values(), bridges.sources)
    const destinations = [...new Set(reached.map(({ network }) => network))].map((network) => ({
      chainId: network.chainId,
      network: network.shortName,
      name: network.name,
      currencies: reached.filter((one) => one.network === network).map(({ token }) => token.symbol),
    }))
    const message = 'Send exactly the amount of the payment; the bridge returns any other amount.'
    return c.json({ success: true as const, sources, destinations, message }, 200)
  })
}
