import { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../access/callers/client-secret.ts'
import { defineOperation } from '../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, paymentId } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { endings, type PaymentId } from '../payment/payment.ts'
import type { FailPayment } from './fail-payment.ts'
import { statusShape } from './wire/payment-schemas.ts'
import * as fields from './wire/request-schemas.ts'

/** Maximum length of a stored reason, in characters. */
const reasonMax = 500

/** Cuts between code points, so that no character is split. */
const cut = (text: string): string => [...text.slice(0, 2 * reasonMax)].slice(0, reasonMax).join('')

const FailRequest = z
  .object({
    paymentId: paymentId,
    // Any other value is treated as failed, not rejected.
    status: z
      .unknown()
      .optional()
      .openapi({ type: 'string', enum: [...endings] }),
    // Ignores values that are not text and cuts long text: a page that is being closed cannot repeat its request.
    reason: z
      .unknown()
      .transform((value) => (typeof value === 'string' ? cut(value.trim()) : undefined))
      .optional()
      .openapi({ type: 'string', description: 'Reason, shown to the merchant as `failureReason`.' }),
    clientSecret: fields.givenClientSecret,
  })
  .openapi('FailPayment')

const failResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  status: statusShape.status,
  skipped: z.boolean(),
})

const route = defineOperation({
  method: 'post',
  path: '/payments/fail',
  access: 'clientSecret',
  role: 'staff',
  audit: 'payment.ended',
  operationId: 'failPayment',
  tags: ['refunds'],
  summary: 'Record that a payment failed; no money moves',
  description:
    'API key and secret end any payment of the merchant that is not paid in full; a partial payment is then refunded. A public key ends payments made with a public key; a client secret ends its own payment. Both only while nothing was sent. Otherwise nothing changes: `skipped` is true, and `message` explains why.',
  request: { body: jsonBody(FailRequest) },
  responses: { 200: jsonContent('recorded, or skipped', failResponse), ...errorResponses },
})

type Deps = {
  failPayment: FailPayment
  clientSecrets: ClientSecrets
}

export function failPaymentRoute(api: Operations, { failPayment, clientSecrets }: Deps) {
  api.serve(route, async (c) => {
    const body = c.req.valid('json')
    const id = body.paymentId as PaymentId
    c.set('paymentId', id)
    const requester = {
      caller: c.get('callerOrNull'),
      hasClientSecret: clientSecrets.isSecretOf(id, body.clientSecret),
    }
    const as = endings.find((ending) => ending === body.status) ?? 'failed'
    c.set('change', { subject: id })
    const failed = await failPayment(requester, id, { as, reason: body.reason })
    c.set('change', { subject: id, after: failed.status, isUnchanged: failed.skipped })
    return c.json({ success: true as const, ...failed }, 200)
  })
}
