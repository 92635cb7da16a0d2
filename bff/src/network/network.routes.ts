import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { PaymentError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import * as schemas from '../http/common-schemas.ts'
import type { Env } from '../http/env.ts'
import type { Caller } from '../merchant/caller.ts'
import type { NetworkHealth } from './network-health.ts'
import { type ListedNetwork, listedNetwork } from './network-view.ts'

const NetworkItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    shortName: z.string().openapi({ description: 'The value of `network` when a payment is created.' }),
    chainId: z.int(),
    type: z.string(),
    isTestnet: z.boolean(),
    explorerUrl: z.url().nullable().openapi({ description: 'Null where the network has no explorer.' }),
    logo: schemas.logo,
  })
  .openapi('Network')

/** In a token the chain id is text. */
const tokenNetwork = z.object({ ...NetworkItem.shape, chainId: z.string() })

const TokenItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    symbol: z.string().openapi({ description: 'The value of `currency` when a payment is created.' }),
    contractAddress: z.string().nullable(),
    decimals: z.int(),
    logo: schemas.logo,
    isStablecoin: z.boolean(),
    Network: tokenNetwork,
  })
  .openapi('Token')

const PayableToken = z
  .object({
    ...TokenItem.shape,
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

/** A service has one or two names; a flood of invented Host headers must cost no memory. */
const originsMax = 20

type Deps = { networks: Networks; health: NetworkHealth; callerOrLenient: MiddlewareHandler<Env> }

export function networkRoutes(app: OpenAPIHono<Env>, { networks, health, callerOrLenient }: Deps) {
  /** The lists by the address that the caller reaches us by, which is in the logos. */
  const listedBy = new Map<string | null, readonly ListedNetwork[]>()

  function listed(c: Context<Env>): readonly ListedNetwork[] {
    const origin = c.get('origin')
    const known = listedBy.get(origin)
    if (known) return known
    const made = [...networks.values()].map((network) => listedNetwork(network, origin))
    if (listedBy.size >= originsMax) listedBy.clear()
    listedBy.set(origin, made)
    return made
  }

  /** Where the merchant has a wallet and the chain is well; without a caller (lenient), where the chain is well. */
  function payable(c: Context<Env>): ListedNetwork[] {
    const caller: Caller | null = c.get('callerOrNull')
    return listed(c).filter(({ shortName }) => {
      const hasWallet = caller === null || caller.wallets.has(shortName)
      // A sandbox payment needs no chain.
      return hasWallet && (caller?.isTest === true || health.get(shortName).isPayable)
    })
  }

  app.openapi({ ...allRoute, middleware: [callerOrLenient] as const }, (c) =>
    c.json({ success: true as const, networks: listed(c).map(({ network }) => network) }, 200),
  )

  app.openapi({ ...stablecoinsRoute, middleware: [callerOrLenient] as const }, (c) =>
    c.json({ success: true as const, stablecoins: listed(c).flatMap(({ tokens }) => tokens) }, 200),
  )

  app.openapi({ ...payableRoute, middleware: [callerOrLenient] as const }, (c) => {
    const found = payable(c).map(({ network }) => network)
    return c.json({ success: true as const, networks: found }, 200)
  })

  app.openapi({ ...payableTokensRoute, middleware: [callerOrLenient] as const }, (c) => {
    const stablecoins = payable(c).flatMap(({ payableTokens }) => payableTokens)
    return c.json({ success: true as const, stablecoins }, 200)
  })

  app.openapi({ ...tokensRoute, middleware: [callerOrLenient] as const }, (c) => {
    const { networkId } = c.req.valid('param')
    const name = networkId.toLowerCase()
    const found = listed(c).find(({ shortName, network }) => shortName === name || network.id === name)
    if (!found) {
      const message = `There is no network "${networkId}".`
      throw new PaymentError('NETWORK_NOT_FOUND', message, { status: 404, error: 'Network not found' })
    }
    return c.json({ success: true as const, tokens: found.tokens }, 200)
  })
}
