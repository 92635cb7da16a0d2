import { defineOperation } from '../access/context/operation.ts'
import { errorBody, errorResponses, jsonContent, paymentIdParam } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { PaymentError } from '../core/errors.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { AcceptLate } from './accept-late.ts'
import type { PaymentViewer } from './read/payment-view.ts'
import { recordResponse } from './wire/payment-schemas.ts'

const route = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/accept-late',
  access: 'key',
  role: 'staff',
  passkey: 'always',
  audit: 'payment.lateAccepted',
  operationId: 'acceptLatePayment',
  tags: ['refunds'],
  summary: 'Accept the full late amount; the payment becomes paid',
  description:
    'Requires API key and secret. Money that arrived after the window, or after the payment was ended, is forwarded like any other payment. The excess is still refunded. Repeating the call changes nothing.',
  request: { params: paymentIdParam },
  responses: {
    200: jsonContent('accepted, or repeated', recordResponse),
    ...errorResponses,
    409: jsonContent(
      '`code` contains the reason: ALREADY_PAID, PAYMENT_OPEN, LATE_AMOUNT_SHORT, or REFUND_UNDER_WAY (retry when it is final).',
      errorBody,
    ),
  },
})

type Deps = { acceptLate: AcceptLate; viewer: PaymentViewer }

export function acceptLateRoute(api: Operations, { acceptLate, viewer }: Deps) {
  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const caller = c.get('caller')
    if (caller.kind !== 'api') {
      const message = 'Only the merchant can accept late money: send x-api-key with x-api-secret, and no x-public-key.'
      throw new PaymentError('API_SECRET_REQUIRED', message)
    }
    const { payment, isNew } = await acceptLate(caller, id)
    c.set('change', { subject: id, isUnchanged: !isNew })
    return c.json({ success: true as const, payment: viewer.merchant(payment, c.get('origin')) }, 200)
  })
}
