import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { digestWithNetwork } from '../../access/http/client-address.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import {
  errorBody,
  errorContent,
  errorResponses,
  jsonContent,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { publicResponse } from '../wire/payment-schemas.ts'
import { canMend, type X402Answers } from './x402-answer.ts'
import type { X402Payments } from './x402-payments.ts'
import { settlementPending } from './x402-refusal.ts'
import { decodeProof, requirementsSchema, x402Headers } from './x402-wire.ts'

const pendingResponse = z.object({
  success: z.literal(true),
  state: z.literal(settlementPending),
  transactionHash: z.string().nullable(),
  message: z.string(),
})

const requiredResponse = errorBody
  .extend({ x402Version: z.literal(2), resource: z.looseObject({}), accepts: z.array(requirementsSchema) })
  .openapi('X402PaymentRequired')

export const x402Responses = {
  202: jsonContent('`settlement_pending`: sent, or about to be. Ask again with the same proof.', pendingResponse),
  402: jsonContent('What must be paid; the header PAYMENT-REQUIRED has the same.', requiredResponse),
  ...errorResponses,
  409: errorContent('The payment is not open, or cannot be paid by x402.'),
}

const route = (method: 'get' | 'post') =>
  defineOperation({
    method,
    path: '/x402/{paymentId}',
    access: 'open',
    operationId: method === 'get' ? 'payByX402' : 'postX402Payment',
    tags: ['x402'],
    summary: 'Pay by x402 (version 2, scheme `exact`)',
    description:
      'Without the header PAYMENT-SIGNATURE a 402 says what must be paid; with it, the proof is settled and answered when the payment is paid. Needs no key.',
    request: { params: paymentIdParam },
    responses: { 200: jsonContent('The payment is paid.', publicResponse), ...x402Responses },
  })

type Deps = {
  read: ReadPayment
  x402: X402Payments
  answers: X402Answers
  limits: RateLimits
  clientDigest: (address: string) => string
}

type AnswerX402 = ReturnType<typeof createPaymentAnswer>

/** Whether a program asks to pay. A browser names HTML first, even if it accepts everything. */
export function asksByX402(c: Context<Env>): boolean {
  const accept = c.req.header('accept') ?? ''
  if (c.req.header(x402Headers.signature) !== undefined) return true
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Responds to a request for a payment, with or without a proof. */
export function createPaymentAnswer({ x402, answers, limits, clientDigest }: Omit<Deps, 'read'>) {
  return async (c: Context<Env>, payment: Payment): Promise<Response> => {
    setHeader(c, 'Cache-Control', 'no-store')
    const url = `${c.get('origin') ?? ''}${c.req.path}`
    const header = c.req.header(x402Headers.signature)
    const client = digestWithNetwork(clientDigest, limits.addressOf(c))
    const asked = { url, asker: client }
    if (header === undefined) return await answers.ask(c, payment, asked, `${x402Headers.signature} header is required`)
    await limits.signed(c, async () => {})
    const proof = decodeProof(header)
    const offer = x402.offerOf(payment, proof)
    const request = { offer, proof, ...asked, client, presenter: null }
    return await answers.settle(c, request, {
      // The public view of the payment: it grants nothing.
      whenPaid: async (now) => answers.paid(c, now),
      async whenRefused(now, reason, refusal) {
        if (canMend(refusal) && (await answers.isOpen(now)))
          return await answers.require(c, x402.offerOf(now), { ...asked, reason })
        throw refusal
      },
    })
  }
}

export function x402Routes(api: Operations, { read, answer }: { read: ReadPayment; answer: AnswerX402 }) {
  for (const method of ['get', 'post'] as const) {
    api.serve(route(method), async (c) => {
      const id = c.req.valid('param').paymentId as PaymentId
      c.set('paymentId', id)
      return (await answer(c, await read.byId(id))) as never
    })
  }
}
