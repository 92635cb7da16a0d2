import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { familyOf } from '../chain/index.ts'
import type { Network, Networks } from '../core/families.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import * as schemas from '../http/common-schemas.ts'
import type { Env } from '../http/env.ts'
import type { NetworkHealth } from './network-health.ts'

const healthAnswer = z.object({
  success: z.literal(true),
  status: z
    .enum(['ok', 'degraded', 'down'])
    .openapi({ description: 'All, some or none of the networks can be paid on.' }),
  networks: z.array(
    z.object({
      shortName: z.string(),
      healthy: z.boolean(),
      reason: z.string().nullable(),
      gasTank: z
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
            'The coins that pay for payouts. `low`: for fewer than 50 more; `empty`: payouts wait, and go on after a refill. Null: not read, or paid otherwise.',
        }),
    }),
  ),
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

/** As the sweeper read it last, in wei. */
type ReadGasBalance = (
  network: string,
) => { state: 'ok' | 'low' | 'empty'; address: string; balanceWei: bigint; neededWei: bigint } | undefined

type Deps = { networks: Networks; health: NetworkHealth; gasBalances: { get: ReadGasBalance } }

export function paymentHealthRoute(app: OpenAPIHono<Env>, { networks, health, gasBalances }: Deps) {
  function gasBalanceOf(network: Network) {
    const balanceRead = gasBalances.get(network.shortName)
    if (balanceRead === undefined) return null
    const { state, address } = balanceRead
    const { symbol: currency, decimals } = familyOf(network).coinOf(network)
    const format = (wei: bigint) => formatAmount(wei as BaseUnits, decimals)
    const [balance, needed] = [format(balanceRead.balanceWei), format(balanceRead.neededWei)]
    const messages = {
      ok: 'Enough for the next payouts.',
      low: `Enough for a few more payouts: send ${currency} to ${address}.`,
      empty: `Payouts wait: the next one needs ${needed} ${currency} at ${address}, which holds ${balance}.`,
    }
    return { state, address, balance, needed, currency, message: messages[state] }
  }

  app.openapi(route, (c) => {
    const shown = [...networks.values()].map((network) => {
      const { shortName } = network
      const { isPayable, reason } = health.get(shortName)
      return { shortName, healthy: isPayable, reason, gasTank: gasBalanceOf(network) }
    })
    const goodOnes = shown.filter(({ healthy }) => healthy).length
    const status = goodOnes === 0 ? 'down' : goodOnes === shown.length ? 'ok' : 'degraded'
    return c.json({ success: true as const, status: status as 'ok' | 'degraded' | 'down', networks: shown }, 200)
  })
}
