import type { Context } from 'hono'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { digestWithNetwork } from '../../access/http/client-address.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { errorResponses, jsonBody, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { AuthorizeRequest, authorizedResponse, refusedResponse, signedOfRequest } from './authorization-schemas.ts'
import type { Authorizations } from './authorize.ts'

/** Most networks produce a block within this time; the page follows the payment afterwards in any case. */
const waitMs = 10_000

const route = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/authorize',
  access: 'open',
  rate: 'signatures',
  operationId: 'authorizePayment',
  tags: ['signatures'],
  summary: 'Pay by a signature: the service sends the transaction and pays its gas',
  description:
    'Takes an ERC-3009 authorization of exactly the open amount, to the deposit address or, for a contract payment, to the splitter. For a token without ERC-3009, takes a Permit2 signature of the same amount. Needs no key, only the payment’s id.',
  request: { params: paymentIdParam, body: jsonBody(AuthorizeRequest) },
  responses: {
    200: jsonContent('`accepted`: a block has the transaction.', authorizedResponse),
    202: jsonContent('`pending`: stored, and sent or about to be. Follow the payment.', authorizedResponse),
    ...errorResponses,
    400: jsonContent('Refused. `code` and `message` explain why; `fallback` names the alternative.', refusedResponse),
    409: jsonContent('Another authorization of the payment is under way.', refusedResponse),
    503: jsonContent('The service cannot send the transaction right now.', refusedResponse),
  },
})

type Deps = {
  read: ReadPayment
  authorizations: Authorizations
  limits: RateLimits
  clientDigest: (address: string) => string
}

export function authorizeRoute(api: Operations, { read, authorizations, limits, clientDigest }: Deps) {
  const clientOf = (c: Context<Env>) => digestWithNetwork(clientDigest, limits.addressOf(c))

  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    c.set('paymentId', id)
    const payment = await read.byId(id)
    const options = { client: clientOf(c), waitMs, signal: c.req.raw.signal }
    const body = c.req.valid('json')
    const signed = signedOfRequest(body) ?? authorizations.signedOfTransaction(payment, body.transaction ?? '')
    const { state, txId } = await authorizations.authorize(payment, signed, options)
    if (state === 'accepted') {
      const message = 'The payment is in a block.'
      return c.json({ success: true as const, state, transactionHash: txId, message }, 200)
    }
    const message = 'The payment is being sent.'
    return c.json({ success: true as const, state, transactionHash: txId, message }, 202)
  })
}
