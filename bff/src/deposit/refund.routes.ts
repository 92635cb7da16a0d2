import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { PaymentError, ValidationError } from '../errors.ts'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { ReadPayment } from '../payment/read.ts'

const RequestRefund = z.object({ address: z.string('address is required').max(100) }).openapi('RequestRefund')

const route = createRoute({
  method: 'post',
  path: '/deposits/refund-request/{paymentId}',
  summary: 'Say where money that is owed back shall be sent',
  request: {
    params: schemas.paymentIdParam,
    body: { required: true, content: { 'application/json': { schema: RequestRefund } } },
  },
  responses: schemas.errorResponses,
})

/** The contract of refund requests. This version sends none by itself, and says so rather than taking an address it will not use. */
export function refundRequestRoute(
  app: OpenAPIHono<Env>,
  { read, requireCaller }: { read: ReadPayment; requireCaller: MiddlewareHandler<Env> },
) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    if (!/^0x[0-9a-fA-F]{40}$/.test(c.req.valid('json').address)) {
      throw new ValidationError('address must be an address of the network: 0x and 40 hex digits')
    }
    const message = 'Refunds are not sent by the service yet; ask the merchant to return the money.'
    throw new PaymentError('REFUNDS_NOT_SUPPORTED', message, { status: 400 })
  })
}
