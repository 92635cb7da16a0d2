import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type Env, requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { countedAddress } from '../../access/http/client-address.ts'
import { jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Payment } from '../../payment/payment.ts'
import { publicResponse } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { Charges } from './charge.ts'
import { x402Responses } from './x402.routes.ts'
import { canMend, type X402Answers } from './x402-answer.ts'
import type { X402Payments } from './x402-payments.ts'
import { decodeProof, x402Headers } from './x402-wire.ts'

const body = z
  .object({
    ...fields.money,
    currency: fields.currency,
    network: fields.networkName,
    resource: z
      .url({ protocol: /^https?$/, error: 'resource must be the http or https address of what is paid for' })
      .max(2_048, 'resource must be at most 2048 characters'),
    client: z
      .string()
      .min(1, 'client must not be empty')
      .max(200, 'client must be at most 200 characters')
      .optional()
      .openapi({
        description:
          'Identifies the client of your server: its address, or its account with you. Limits then apply to each client. Only a keyed digest is stored, while the payment is open.',
      }),
    paymentSignature: z
      .string()
      .optional()
      .openapi({ description: "The client's header PAYMENT-SIGNATURE, as it came; left out where it sent none." }),
    ...fields.attachments,
    ...fields.agent,
  })
  .omit({ orderId: true })
  .openapi('X402Charge')

const route = defineOperation({
  method: 'post',
  path: '/x402/charge',
  access: 'secret',
  secretFor: 'Charges are',
  role: 'none',
  operationId: 'createX402Charge',
  tags: ['x402'],
  summary: "Charge for one request to a server of the merchant's, by x402",
  description:
    'Pass this response to your client, headers included, unless its status is 200: then the request is paid, once. A proof pays one request for the same resource at the same price.',
  request: { body: jsonBody(body) },
  responses: { 200: jsonContent('The request is paid: serve it.', publicResponse), ...x402Responses },
})

type Deps = {
  charges: Charges
  x402: X402Payments
  answers: X402Answers
  clientDigest: (address: string) => string
}

/** `asker`: a digest of the client of the merchant's server; null: the server names none. */
type Asked = Omit<z.infer<typeof body>, 'client' | 'paymentSignature'> & { asker: string | null }

export function chargeRoute(api: Operations, { charges, x402, answers, clientDigest }: Deps) {
  async function ask(c: Context<Env>, payment: Payment, { resource, asker }: Asked, reason: string) {
    const claim = charges.claimOn({ id: payment.id, resource })
    return await answers.require(c, x402.offerOf(payment), { url: resource, asker, reason, claim })
  }

  /** Runs for every unpaid request, so that below the limits two clients never share a payment. */
  async function askAnew(c: Context<Env>, asked: Asked, reason: string) {
    const { asker, ...charge } = asked
    x402.verifyOffered(c.get('caller'), charge.network, charge.currency)
    const payment = await charges.create(c.get('caller'), requestInfo(c), charge, asker)
    return await ask(c, payment, asked, reason)
  }

  api.serve(route, async (c) => {
    setHeader(c, 'Cache-Control', 'no-store')
    const { paymentSignature, client, ...charge } = c.req.valid('json')
    const { resource } = charge
    // Each merchant names its own clients: one merchant's names must not affect the limits of another's clients.
    const asker = client === undefined ? null : clientDigest(`${c.get('caller').merchantId} ${countedAddress(client)}`)
    const asked = { ...charge, asker }
    if (paymentSignature === undefined) {
      return (await askAnew(c, asked, `${x402Headers.signature} header is required`)) as never
    }
    const proof = decodeProof(paymentSignature)
    const refused = async (errorReason: string) => {
      answers.respond(c, { success: false, errorReason, transaction: '', network: proof.accepted.network })
      return await askAnew(c, asked, errorReason)
    }
    const found = await charges.find(c.get('caller'), charge, proof)
    if (typeof found === 'string') return (await refused(found)) as never
    const { payment, presenter } = found
    c.set('paymentId', payment.id)
    const request = { offer: x402.offerOf(payment, proof), proof, url: resource, client: null, asker, presenter }
    const answer = await answers.settle(c, request, {
      async whenPaid(paid) {
        if (await charges.use(paid.id, resource)) return answers.paid(c, paid)
        return await refused('duplicate_settlement')
      },
      // A refused proof is never served, even if another client has paid its payment.
      async whenRefused(now, reason, refusal) {
        const isPaidByOthers = refusal.code === 'PAYMENT_NOT_OPEN' && now.takesSignatures
        if (!canMend(refusal) && !isPaidByOthers) throw refusal
        return (await answers.isOpen(now)) ? await ask(c, now, asked, reason) : await askAnew(c, asked, reason)
      },
    })
    return answer as never
  })
}
