import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { errorBody, errorResponses, jsonContent, paymentIdParam } from '../access/common-schemas.ts'
import type { Env } from '../access/env.ts'
import { PaymentError } from '../core/errors.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { AcceptLate } from './accept-late.ts'
import type { PaymentViewer } from './read/payment-view.ts'
import { recordResponse } from './wire/payment-schemas.ts'

const route = createRoute({
  method: 'post',
  path: '/payments/{paymentId}/accept-late',
  operationId: 'acceptLatePayment',
  tags: ['payments'],
  summary: 'Accept the whole amount that came too late: the payment becomes paid',
  description:
    'For API key and secret. What came after the window, or after the payment was ended by hand, is forwarded like any other payment; what exceeds the amount is still owed back. A repeat changes nothing.',
  request: { params: paymentIdParam },
  responses: {
    200: jsonContent('taken, or repeated', recordResponse),
    ...errorResponses,
    409: jsonContent(
      '`code` says why not: ALREADY_PAID, PAYMENT_OPEN, LATE_AMOUNT_SHORT, or REFUND_UNDER_WAY (try again when it is final).',
      errorBody,
    ),
  },
})

type Deps = { acceptLate: AcceptLate; viewer: PaymentViewer; requireCaller: MiddlewareHandler<Env> }

export function acceptLateRoute(app: OpenAPIHono<Env>, { acceptLate, viewer, requireCaller }: Deps) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const caller = c.get('caller')
    if (caller.kind !== 'api') {
      const message = 'Only the merchant takes late money: send x-api-key with x-api-secret, and no x-public-key.'
      const error = 'API key and secret are required'
      throw new PaymentError('API_SECRET_REQUIRED', message, { status: 403, error })
    }
    const { payment, isNew } = await acceptLate(caller, id)
    c.set('change', { subject: id, isUnchanged: !isNew })
    return c.json({ success: true as const, payment: viewer.merchant(payment, c.get('origin')) }, 200)
  })
}
