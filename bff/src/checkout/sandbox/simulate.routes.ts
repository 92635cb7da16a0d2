import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import {
  errorBody,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { paymentStatus } from '../wire/payment-schemas.ts'
import { actions, type createSimulator } from './simulate.ts'

/** One step may advance the clock by up to a month. */
const advanceMaxSeconds = 31 * 24 * 60 * 60
const advanceRule = `advance must be a whole number of seconds from 0 to ${advanceMaxSeconds}`

const Simulate = z
  .object({ action: z.enum(actions, `action must be one of ${actions.join(', ')}`) })
  .openapi('SimulatePayment')

const SimulateQuery = z.object({
  advance: z.coerce
    .number(advanceRule)
    .int(advanceRule)
    .min(0, advanceRule)
    .max(advanceMaxSeconds, advanceRule)
    .default(0)
    .openapi({ type: 'integer', description: "Seconds by which the payment's test clock is moved before the action." }),
})

const route = defineOperation({
  method: 'post',
  path: '/sandbox/payments/{paymentId}/simulate',
  access: 'key',
  role: 'staff',
  rate: 'simulations',
  operationId: 'simulatePayment',
  tags: ['sandbox'],
  summary: 'Simulate an event of a sandbox payment',
  request: { params: paymentIdParam, query: SimulateQuery, body: jsonBody(Simulate) },
  responses: {
    200: jsonContent(
      'the payment after it',
      z.object({
        success: z.literal(true),
        message: z.string(),
        payment: paymentStatus,
      }),
    ),
    409: jsonContent('It cannot happen to the payment as it is; nothing was changed.', errorBody),
    ...errorResponses,
  },
})

type Deps = {
  simulate: ReturnType<typeof createSimulator>
  viewer: PaymentViewer
}

export function simulateRoute(api: Operations, { simulate, viewer }: Deps) {
  api.serve(route, async (c) => {
    const { action } = c.req.valid('json')
    const advanceSeconds = c.req.valid('query').advance
    const id = c.req.valid('param').paymentId as PaymentId
    const payment = await simulate(c.get('caller'), id, { action, advanceSeconds })
    const message = `Simulated ${action}: the payment is ${payment.status}.`
    return c.json({ success: true as const, message, payment: viewer.status(payment) }, 200)
  })
}
