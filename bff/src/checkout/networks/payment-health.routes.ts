import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import * as schemas from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Networks } from '../../core/families.ts'
import type { GasBalances } from '../../network/gas-balances.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import { gasViewOf } from './gas-view.ts'

const healthResponse = z.object({
  success: z.literal(true),
  status: z
    .enum(['ok', 'degraded', 'down'])
    .openapi({ description: 'All, some or none of the networks can be paid on.' }),
  networks: z.array(
    z.object({
      shortName: z.string(),
      healthy: z.boolean(),
      reason: z.string().nullable(),
      gasBalance: z
        .object({
          state: z.enum(['ok', 'low', 'empty']),
          address: z.string(),
          balance: z.string(),
          needed: z.string(),
          currency: z.string(),
          message: z.string(),
        })
        .nullable()
        .openapi({
          description:
            'The gas balance for payouts. `low`: fewer than 50 payouts left; `empty`: payouts wait for a refill. Null: not read, or not needed.',
        }),
    }),
  ),
})

const route = defineOperation({
  method: 'get',
  path: '/payments/health',
  access: 'open',
  operationId: 'readPaymentHealth',
  tags: ['networks'],
  summary: 'Which networks can be paid on now, and why not the others',
  responses: { 200: schemas.jsonContent('the networks', healthResponse), ...schemas.errorResponses },
})

type Deps = { networks: Networks; health: NetworkHealth; gasBalances: Pick<GasBalances, 'get'> }

export function paymentHealthRoute(api: Operations, { networks, health, gasBalances }: Deps) {
  api.serve(route, (c) => {
    const shown = [...networks.values()].map((network) => {
      const { shortName } = network
      const { isPayable, reason } = health.get(shortName)
      return { shortName, healthy: isPayable, reason, gasBalance: gasViewOf(network, gasBalances) }
    })
    const goodOnes = shown.filter(({ healthy }) => healthy).length
    const status = goodOnes === 0 ? 'down' : goodOnes === shown.length ? 'ok' : 'degraded'
    return c.json({ success: true as const, status: status as 'ok' | 'degraded' | 'down', networks: shown }, 200)
  })
}
