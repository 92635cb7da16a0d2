import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import * as answers from '../http/answers.ts'
import type { Env } from '../http/env.ts'
import * as schemas from '../http/schemas.ts'
import type { Runtime } from '../runtime.ts'
import type { Ledger } from './apply.ts'
import type { PaymentId } from './payment.ts'
import type { ReadPayment } from './read.ts'

const endings = ['failed', 'cancelled', 'expired'] as const

const FailPayment = z
  .object({
    paymentId: schemas.paymentId,
    // Any other value is treated as failed, not rejected.
    status: z
      .unknown()
      .optional()
      .openapi({ type: 'string', enum: [...endings] }),
    reason: z.unknown().optional().openapi({ type: 'string' }),
  })
  .openapi('FailPayment')

const route = createRoute({
  method: 'post',
  path: '/payments/fail',
  summary: 'Record that a payment came to nothing; no money moves',
  request: { body: { required: true, content: { 'application/json': { schema: FailPayment } } } },
  responses: {
    200: { description: 'recorded, or skipped', content: { 'application/json': { schema: answers.failAnswer } } },
    ...schemas.errorResponses,
  },
})

type Deps = { read: ReadPayment; ledger: Ledger; runtime: Runtime; requireCaller: MiddlewareHandler<Env> }

export function failPaymentRoute(app: OpenAPIHono<Env>, { read, ledger, runtime, requireCaller }: Deps) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    const body = c.req.valid('json')
    c.set('paymentId', body.paymentId)
    const payment = await read.own(c.get('caller'), body.paymentId as PaymentId, 404)
    const as = endings.find((ending) => ending === body.status) ?? 'failed'
    const after = await ledger.apply(payment.id, { type: 'payment.closed', as, atMs: runtime.nowMs() })
    const isDone = after?.closedAs === as && payment.closedAs === null
    const message = isDone
      ? `The payment was marked as ${as}.`
      : 'Nothing was changed: the payment is final, or money for it is already on its way.'
    return c.json({ success: true as const, message, status: (after ?? payment).status, skipped: !isDone }, 200)
  })
}
