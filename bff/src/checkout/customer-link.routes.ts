import { z } from '@hono/zod-openapi'
import { type ClientSecrets, paymentLink } from '../access/callers/client-secret.ts'
import { defineOperation } from '../access/context/operation.ts'
import { errorResponses, jsonContent, paymentIdParam } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { PaymentId } from '../payment/payment.ts'
import { refundPageUrl, secretIdOf } from './merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from './merchant-refund/merchant-refunds.ts'
import type { ReadPayment } from './read/payment-reader.ts'
import { refundParam } from './wire/merchant-refund-schemas.ts'

const linkResponse = jsonContent(
  'the link',
  z.object({
    success: z.literal(true),
    link: z.string().openapi({
      example: 'https://pay.example/pay/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11#client_secret=cs_J0Xl7cB0Qb8l4mPz',
    }),
  }),
)

const paymentRoute = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/customer-link',
  access: 'session',
  role: 'staff',
  passkey: 'always',
  audit: 'payment.linkShown',
  operationId: 'showPaymentLink',
  tags: ['payments'],
  summary: "The link of the payment's page with its client secret, for the customer",
  description: 'Whoever has the link can name the address of a refund.',
  request: { params: paymentIdParam },
  responses: { 200: linkResponse, ...errorResponses },
})

const refundRoute = defineOperation({
  method: 'post',
  path: '/refunds/{refundId}/customer-link',
  access: 'session',
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.linkShown',
  operationId: 'showRefundLink',
  tags: ['refunds'],
  summary: "The link of the refund's page with its client secret, for the customer",
  description: 'Whoever has the link can name the address of the refund.',
  request: { params: refundParam },
  responses: { 200: linkResponse, ...errorResponses },
})

type Deps = { read: ReadPayment; merchantRefunds: MerchantRefunds; clientSecrets: ClientSecrets }

/** The links that a person in the dashboard sends to a customer. */
export function customerLinkRoutes(api: Operations, { read, merchantRefunds, clientSecrets }: Deps) {
  const success = true as const

  api.serve(paymentRoute, async (c) => {
    const { id } = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    c.set('change', { subject: id })
    return c.json({ success, link: paymentLink(c.get('origin') ?? '', id, clientSecrets.of(id)) }, 200)
  })

  api.serve(refundRoute, async (c) => {
    const { refund } = await merchantRefunds.own(c.get('caller'), c.req.valid('param').refundId)
    c.set('change', { subject: refund.id })
    const link = refundPageUrl(c.get('origin') ?? '', refund.id, clientSecrets.of(secretIdOf(refund)))
    return c.json({ success, link }, 200)
  })
}
