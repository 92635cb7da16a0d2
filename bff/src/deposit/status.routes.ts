import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { ReadPayment } from '../payment/read.ts'
import type { PaymentViewer } from '../payment/view.ts'

const route = createRoute({
  method: 'get',
  path: '/deposits/status/{paymentId}',
  summary: 'What has arrived at the deposit address, and what is still to come',
  request: { params: schemas.paymentIdParam },
  responses: {
    200: { description: 'the payment', content: { 'application/json': { schema: schemas.depositStatusAnswer } } },
    ...schemas.errorResponses,
  },
})

type Deps = { read: ReadPayment; viewer: PaymentViewer; requireCaller: MiddlewareHandler<Env> }

export function depositStatusRoute(app: OpenAPIHono<Env>, { read, viewer, requireCaller }: Deps) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    // Version 1 keeps the 500 for an id that does not exist.
    const payment = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 500)
    return c.json({ success: true as const, payment: viewer.deposit(payment) }, 200)
  })
}
