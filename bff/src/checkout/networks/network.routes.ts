import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import * as schemas from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import { askedPriceOf, createQuotes, withQuotes } from '../price.ts'
import { money } from '../wire/request-schemas.ts'
import type { ListedNetworks } from './payable-tokens.ts'

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

/** Tokens contain the chain id as text. */
const tokenNetwork = z.object({ ...NetworkItem.shape, chainId: z.string() })

const TokenItem = z
  .object({
    id: z.uuid(),
    name: z.string(),
    symbol: z.string().openapi({ description: 'The value of `currency` when a payment is created.' }),
    currency: z.string().openapi({
      description:
        'ISO 4217 code of the currency that one token is one unit of. Amounts of different currencies are not added.',
      example: 'USD',
    }),
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
      feeLevel: z.enum(['low', 'high']).nullable().openapi({ description: 'Approximate fee of a token transfer.' }),
    }),
    amount: schemas.amountText.nullable().optional().openapi({
      description:
        'The amount of this token to send: the amount of the payment link, or its price at the current rate. Null without a current rate; absent if no price was asked for.',
    }),
  })
  .openapi('PayableToken')

const ok = z.literal(true)
const networksResponse = z.object({ success: ok, networks: z.array(NetworkItem) })
const stablecoinsResponse = z.object({ success: ok, stablecoins: z.array(TokenItem) })
export const payableTokensResponse = z.object({ success: ok, stablecoins: z.array(PayableToken) })
const tokensResponse = z.object({ success: ok, tokens: z.array(TokenItem) })

const networkParam = z.object({
  networkId: z
    .string()
    .min(1)
    .max(40)
    .openapi({ param: { name: 'networkId', in: 'path' }, description: 'Its id or its short name.', example: 'base' }),
})

const listRoute = <Path extends string, Schema extends z.ZodType>(
  path: Path,
  operationId: string,
  summary: string,
  schema: Schema,
) =>
  defineOperation({
    method: 'get',
    path,
    access: 'lenientKey',
    role: 'viewer',
    scope: 'agent',
    operationId,
    tags: ['networks'],
    summary,
    responses: { 200: schemas.jsonContent(summary, schema), ...schemas.errorResponses },
  })

const allRoute = listRoute('/networks', 'listNetworks', 'All networks of this service', networksResponse)
const stablecoinsRoute = listRoute(
  '/networks/stablecoins',
  'listTokens',
  'All tokens of all networks',
  stablecoinsResponse,
)
export const listPayableNetworksOperation = listRoute(
  '/networks/payable',
  'listPayableNetworks',
  'Networks that the caller can be paid on now',
  networksResponse,
)
const payableTokensRoute = defineOperation({
  method: 'get',
  path: '/networks/payable/stablecoins',
  access: 'lenientKey',
  role: 'viewer',
  scope: 'agent',
  operationId: 'listPayableTokens',
  tags: ['networks'],
  summary: 'Tokens that the caller can be paid in now',
  description:
    'With `price` and `priceCurrency`, each token has the `amount` of that price at the current rate. Tokens without a rate in the currency are left out if others have one.',
  request: { query: z.object({ price: money.price, priceCurrency: money.priceCurrency }) },
  responses: {
    200: schemas.jsonContent('Tokens that the caller can be paid in now', payableTokensResponse),
    ...schemas.errorResponses,
  },
})
const tokensRoute = defineOperation({
  method: 'get',
  path: '/networks/{networkId}/tokens',
  access: 'lenientKey',
  role: 'viewer',
  scope: 'agent',
  operationId: 'listNetworkTokens',
  tags: ['networks'],
  summary: 'Tokens of one network',
  request: { params: networkParam },
  responses: { 200: schemas.jsonContent('the tokens of the network', tokensResponse), ...schemas.errorResponses },
})

type Deps = { listedNetworks: ListedNetworks; readRates: ReadRates; runtime: Runtime }

export function networkRoutes(api: Operations, { listedNetworks, ...deps }: Deps) {
  const quote = createQuotes(deps)
  const listed = (c: Context<Env>) => listedNetworks.listed(c.get('origin'))

  api.serve(allRoute, (c) => c.json({ success: true as const, networks: listed(c).map(({ network }) => network) }, 200))

  api.serve(stablecoinsRoute, (c) =>
    c.json({ success: true as const, stablecoins: listed(c).flatMap(({ tokens }) => tokens) }, 200),
  )

  api.serve(listPayableNetworksOperation, (c) => {
    const found = listedNetworks.payable(c.get('callerOrNull'), c.get('origin')).map(({ network }) => network)
    return c.json({ success: true as const, networks: found }, 200)
  })

  api.serve(payableTokensRoute, async (c) => {
    const tokens = listedNetworks.payableTokens(c.get('callerOrNull'), c.get('origin'))
    const { price, priceCurrency } = c.req.valid('query')
    if (price === undefined && priceCurrency === undefined) {
      return c.json({ success: true as const, stablecoins: tokens }, 200)
    }
    const asked = askedPriceOf({ price, priceCurrency })
    const quotes = asked && (await quote(asked, tokens))
    const stablecoins = quotes ? withQuotes(tokens, quotes) : tokens
    return c.json({ success: true as const, stablecoins }, 200)
  })

  api.serve(tokensRoute, (c) => {
    const { networkId } = c.req.valid('param')
    const name = networkId.toLowerCase()
    const found = listed(c).find(({ shortName, network }) => shortName === name || network.id === name)
    if (!found) {
      const message = `There is no network "${networkId}".`
      throw new PaymentError('NETWORK_NOT_FOUND', message)
    }
    return c.json({ success: true as const, tokens: found.tokens }, 200)
  })
}
