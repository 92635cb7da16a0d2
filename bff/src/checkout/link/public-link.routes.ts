import type { Context } from 'hono'
import { type Env, requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { errorContent, errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import { createdBody } from '../create-response.ts'
import { createdResponse } from '../deposit/create-deposit.routes.ts'
import { payableTokensResponse } from '../networks/network.routes.ts'
import type { PayableTokens } from '../networks/payable-tokens.ts'
import { createQuotes, withQuotes } from '../price.ts'
import { includeQuery } from '../wire/request-schemas.ts'
import { allowsToken, type LinkId } from './link.ts'
import * as schemas from './link-schemas.ts'
import { publicLinkView } from './link-view.ts'
import type { Links } from './manage-links.ts'

const path = '/links/public/{linkId}'

const readRoute = defineOperation({
  method: 'get',
  path,
  access: 'open',
  operationId: 'readPublicLink',
  tags: ['links'],
  summary: 'The terms of a payment link, for its holder',
  request: { params: schemas.linkParam },
  responses: { 200: jsonContent('the link', schemas.publicLinkResponse), ...errorResponses },
})

const tokensRoute = defineOperation({
  method: 'get',
  path: `${path}/stablecoins`,
  access: 'open',
  operationId: 'listLinkTokens',
  tags: ['links'],
  summary: 'Tokens that a payment link can be paid in now',
  request: { params: schemas.linkParam },
  responses: { 200: jsonContent('Tokens that can be paid in now', payableTokensResponse), ...errorResponses },
})

const createPaymentRoute = defineOperation({
  method: 'post',
  path: `${path}/create`,
  access: 'open',
  rate: 'creates',
  idempotency: 'key',
  operationId: 'createLinkPayment',
  tags: ['links'],
  summary: 'Create the payment of one customer of a payment link',
  description: 'The same `Idempotency-Key` returns the same payment.',
  request: { params: schemas.linkParam, query: includeQuery, body: jsonBody(schemas.LinkChoiceBody) },
  responses: {
    200: jsonContent('created, or repeated', createdResponse),
    409: errorContent('`LINK_CLOSED`: the link was paid, was ended, or has expired.'),
    ...errorResponses,
  },
})

type Deps = {
  links: Links
  payableTokens: PayableTokens
  limits: RateLimits
  runtime: Runtime
  readRates: ReadRates
}

/** Routes for the pages of payment links. They need no key. */
export function publicLinkRoutes(api: Operations, { links, payableTokens, limits, runtime, readRates }: Deps) {
  const quote = createQuotes({ readRates, runtime })
  const linkOf = (id: string) => links.read(id as LinkId)
  const visitorOf = async (c: Context<Env>, id: string) => {
    const link = await linkOf(id)
    return { link, visitor: await links.visitor(link, limits.addressOf(c)) }
  }

  api.serve(readRoute, async (c) => {
    const link = await linkOf(c.req.valid('param').linkId)
    return c.json({ success: true as const, link: publicLinkView(link, runtime.nowMs()) }, 200)
  })

  api.serve(tokensRoute, async (c) => {
    const { link, visitor } = await visitorOf(c, c.req.valid('param').linkId)
    const stablecoins = payableTokens(visitor, c.get('origin')).filter(({ symbol, currency, Network }) =>
      allowsToken(link, { network: Network.shortName, currency: symbol }, currency),
    )
    const quotes = link.price && (await quote(link.price, stablecoins))
    const priced = quotes
      ? withQuotes(stablecoins, quotes)
      : stablecoins.map((token) => ({ ...token, amount: link.amount }))
    return c.json({ success: true as const, stablecoins: priced }, 200)
  })

  api.serve(createPaymentRoute, async (c) => {
    const { link, visitor } = await visitorOf(c, c.req.valid('param').linkId)
    await limits.called(c, visitor)
    const key = await requestKey(c)
    const created = await links.pay(link, visitor, requestInfo(c), c.req.valid('json'), key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    const includeQr = c.req.valid('query').include === 'qr'
    return c.json(createdBody(created, { nowMs: runtime.nowMs(), includeQr }), 200)
  })
}
