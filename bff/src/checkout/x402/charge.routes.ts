import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { jsonBody, jsonContent } from '../../http/common-schemas.ts'
import { type Env, requestInfo, setHeader } from '../../http/env.ts'
import { requireSecret } from '../../http/require-secret.ts'
import { publicResponse } from '../payment-schemas.ts'
import * as fields from '../request-schemas.ts'
import type { Charges } from './charge.ts'
import { x402Responses } from './x402.routes.ts'
import type { X402Answers } from './x402-answer.ts'
import type { X402Payments } from './x402-payments.ts'
import { decodeProof, encodeHeader, x402Headers } from './x402-wire.ts'

const body = z
  .object({
    ...fields.money,
    currency: z.enum(['USDT', 'USDC'], 'currency must be USDT or USDC'),
    network: fields.networkName,
    resource: z
      .url({ protocol: /^https?$/, error: 'resource must be the http or https address of what is paid for' })
      .max(2_048, 'resource must be at most 2048 characters'),
    paymentSignature: z
      .string()
      .optional()
      .openapi({ description: "The client's header PAYMENT-SIGNATURE, as it came; left out where it sent none." }),
    ...fields.attachments,
    ...fields.agent,
  })
  .omit({ orderId: true })
  .openapi('X402Charge')

const route = createRoute({
  method: 'post',
  path: '/x402/charge',
  operationId: 'createX402Charge',
  tags: ['x402'],
  summary: "Charge for one request to a server of the merchant's, by x402",
  description:
    'Answer your client with this answer, headers included, unless it is a 200: then the request is paid, once. A proof pays one request for the same resource at the same price.',
  request: { body: jsonBody(body) },
  responses: { 200: jsonContent('The request is paid: serve it.', publicResponse), ...x402Responses },
})

type Deps = {
  charges: Charges
  x402: X402Payments
  answers: X402Answers
  requireCaller: MiddlewareHandler<Env>
}

export function chargeRoute(app: OpenAPIHono<Env>, { charges, x402, answers, requireCaller }: Deps) {
  /** Of each request that is not paid, so that up to a bound two clients never share a payment. */
  async function askAnew(c: Context<Env>, charge: z.infer<typeof body>, reason: string) {
    x402.verifyOffered(c.get('caller'), charge.network, charge.currency)
    const payment = await charges.create(c.get('caller'), requestInfo(c), charge)
    return await answers.ask(c, payment, charge.resource, reason)
  }

  app.openapi({ ...route, middleware: requireSecret(requireCaller, 'Charges are') }, async (c) => {
    setHeader(c, 'Cache-Control', 'no-store')
    const { paymentSignature, ...charge } = c.req.valid('json')
    if (paymentSignature === undefined) {
      return (await askAnew(c, charge, `${x402Headers.signature} header is required`)) as never
    }
    const proof = decodeProof(paymentSignature)
    const found = await charges.find(c.get('caller'), charge, proof)
    if (typeof found === 'string') return (await askAnew(c, charge, found)) as never
    c.set('paymentId', found.id)
    const offer = x402.offerOf(found)
    const { network } = offer.requirements
    const answer = await answers.settle(c, { offer, proof, url: charge.resource, client: null }, async (paid) => {
      if (await charges.use(paid.id)) return answers.paid(c, paid)
      const errorReason = 'duplicate_settlement'
      setHeader(c, x402Headers.response, encodeHeader({ success: false, errorReason, transaction: '', network }))
      return await askAnew(c, charge, errorReason)
    })
    return answer as never
  })
}
