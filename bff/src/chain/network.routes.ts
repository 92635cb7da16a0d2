import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { PaymentError } from '../errors.ts'
import type { Caller, Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'
import type { NetworkHealth } from './network-health.ts'
import { type ListedNetwork, listedNetwork } from './network-view.ts'
import type { Networks } from './networks.ts'

const NetworkItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    shortName: z.string().openapi({ description: 'The value of `network` when a payment is created.' }),
    chainId: z.int(),
    type: z.string(),
    isTestnet: z.boolean(),
    explorerUrl: z.url().optional().openapi({ description: 'Absent where the network has no explorer.' }),
    logo: z.url().nullable(),
  })
  .openapi('Network')

const tokenNetwork = z.object({
  id: z.uuid(),
  name: z.string(),
  shortName: z.string(),
  chainId: z.string(),
  type: z.string(),
})

const TokenItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    symbol: z.string().openapi({ description: 'The value of `currency` when a payment is created.' }),
    contractAddress: z.string().nullable(),
    decimals: z.int(),
    logo: z.url().nullable(),
    isStablecoin: z.boolean(),
    Network: tokenNetwork.extend({ logo: z.url().nullable() }),
  })
  .openapi('Token')

const PayableToken = z
  .object({
    id: z.uuid(),
    symbol: z.string(),
    contractAddress: z.string().nullable(),
    decimals: z.int(),
    Network: tokenNetwork.extend({
      confirmations: z.int(),
      confirmSeconds: z
        .int()
        .nullable()
        .openapi({ description: 'About how long those take; null where nobody knows.' }),
      feeLevel: z.enum(['low', 'high']).nullable().openapi({ description: 'Of sending a token there, roughly.' }),
    }),
  })
  .openapi('PayableToken')

const ok = z.literal(true)
const networksAnswer = z.object({ success: ok, networks: z.array(NetworkItem) })
const stablecoinsAnswer = z.object({ success: ok, stablecoins: z.array(TokenItem) })
const payableTokensAnswer = z.object({ success: ok, stablecoins: z.array(PayableToken) })
const tokensAnswer = z.object({ success: ok, tokens: z.array(TokenItem) })

const networkParam = z.object({
  networkId: z
    .string()
    .min(1)
    .max(40)
    .openapi({ param: { name: 'networkId', in: 'path' }, description: 'Its id or its short name.', example: 'base' }),
})

const listRoute = <Path extends string, Schema extends z.ZodType>(path: Path, summary: string, schema: Schema) =>
  createRoute({
    method: 'get',
    path,
    summary,
    responses: {
      200: { description: summary, content: { 'application/json': { schema } } },
      ...schemas.errorResponses,
    },
  })

const allRoute = listRoute('/networks', 'Every network of this service', networksAnswer)
const stablecoinsRoute = listRoute('/networks/stablecoins', 'Every token of every network', stablecoinsAnswer)
const payableRoute = listRoute('/networks/payable', 'Networks that the caller can be paid on now', networksAnswer)
const payableTokensRoute = listRoute(
  '/networks/payable/stablecoins',
  'Tokens that the caller can be paid in now',
  payableTokensAnswer,
)
const tokensRoute = createRoute({
  method: 'get',
  path: '/networks/{networkId}/tokens',
  summary: 'Tokens of one network',
  request: { params: networkParam },
  responses: {
    200: { description: 'its tokens', content: { 'application/json': { schema: tokensAnswer } } },
    ...schemas.errorResponses,
  },
})

type Deps = { networks: Networks; health: NetworkHealth; callerOrLenient: MiddlewareHandler<Env> }

export function networkRoutes(app: OpenAPIHono<Env>, { networks, health, callerOrLenient }: Deps) {
  const listed = [...networks.values()].map(listedNetwork)

  /** Where the merchant has a wallet and the chain is well; without a caller (lenient), where the chain is well. */
  function payable(caller: Caller | null): ListedNetwork[] {
    return listed.filter(({ shortName }) => {
      const hasWallet = caller === null || caller.wallets.has(shortName)
      // A sandbox payment needs no chain.
      return hasWallet && (caller?.isTest === true || health.get(shortName).isPayable)
    })
  }

  app.openapi({ ...allRoute, middleware: [callerOrLenient] as const }, (c) =>
    c.json({ success: true as const, networks: listed.map(({ network }) => network) }, 200),
  )

  app.openapi({ ...stablecoinsRoute, middleware: [callerOrLenient] as const }, (c) =>
    c.json({ success: true as const, stablecoins: listed.flatMap(({ tokens }) => tokens) }, 200),
  )

  app.openapi({ ...payableRoute, middleware: [callerOrLenient] as const }, (c) => {
    const found = payable(c.get('callerOrNull')).map(({ network }) => network)
    return c.json({ success: true as const, networks: found }, 200)
  })

  app.openapi({ ...payableTokensRoute, middleware: [callerOrLenient] as const }, (c) => {
    const stablecoins = payable(c.get('callerOrNull')).flatMap(({ payableTokens }) => payableTokens)
    return c.json({ success: true as const, stablecoins }, 200)
  })

  app.openapi({ ...tokensRoute, middleware: [callerOrLenient] as const }, (c) => {
    const { networkId } = c.req.valid('param')
    const name = networkId.toLowerCase()
    const found = listed.find(({ shortName, network }) => shortName === name || network.id === name)
    if (!found) {
      const message = `There is no network "${networkId}".`
      throw new PaymentError('NETWORK_NOT_FOUND', message, { status: 404, error: 'Network not found' })
    }
    return c.json({ success: true as const, tokens: found.tokens }, 200)
  })
}
