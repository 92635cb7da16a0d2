import { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../../access/callers/client-secret.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { depositStatusResponse } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { RequestRefund } from './refund-request.ts'

export const RefundRequest = z
  .object({
    address: z.string('address is required').max(100, 'address must have at most 100 characters'),
    clientSecret: fields.givenClientSecret,
    network: fields.networkName.optional().openapi({
      description:
        "Short name of another network, for money that was sent there by mistake (`unmatched`). Default: the payment's own network.",
    }),
  })
  .openapi('RequestRefund')

export const requestRefundOperation = defineOperation({
  method: 'post',
  path: '/deposits/refund-request/{paymentId}',
  access: 'clientSecret',
  role: 'staff',
  passkey: 'always',
  audit: 'refund.requested',
  operationId: 'requestRefund',
  tags: ['refunds'],
  summary: 'Set the address that owed money is sent back to',
  description:
    'The holder of the payment’s client secret may name the address once, with or without a public key; the merchant, with API key and secret, at any time. Otherwise: 403, `code` CLIENT_SECRET_REQUIRED. The service then sends the money, including later transfers. The payment’s `refund` shows the progress.',
  request: { params: paymentIdParam, body: jsonBody(RefundRequest) },
  responses: { 200: jsonContent('accepted, or repeated', depositStatusResponse), ...errorResponses },
})

type Deps = {
  requestRefund: RequestRefund
  clientSecrets: ClientSecrets
  viewer: PaymentViewer
}

export function refundRequestRoute(api: Operations, deps: Deps) {
  const { requestRefund, clientSecrets, viewer } = deps
  api.serve(requestRefundOperation, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const { address, network, clientSecret } = c.req.valid('json')
    const requester = { caller: c.get('callerOrNull'), hasClientSecret: clientSecrets.isSecretOf(id, clientSecret) }
    const { payment, before, address: after, isChanged } = await requestRefund(requester, id, address, network)
    c.set('change', { subject: id, before, after, isUnchanged: !isChanged })
    return c.json({ success: true as const, payment: viewer.deposit(payment) }, 200)
  })
}
