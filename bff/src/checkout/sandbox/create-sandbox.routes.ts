import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { errorResponses, jsonBody, jsonContent } from '../../access/common-schemas.ts'
import { type Env, requestInfo, setHeader } from '../../access/env.ts'
import { idempotencyKey } from '../idempotency-store.ts'
import { createdPaymentShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import { type createSandboxPayments, sandboxModes } from './create-sandbox.ts'

const CreateSandboxPayment = z
  .object({
    ...fields.money,
    currency: z.enum(['USDT', 'USDC'], 'currency must be USDT or USDC'),
    network: fields.networkName.optional(),
    paymentMode: z
      .enum(sandboxModes, 'paymentMode must be deposit or contract')
      .default('deposit')
      .openapi({ description: 'The mode of the payment: what `/deposits/create` or `/payments/create` would make.' }),
    ...fields.attachments,
  })
  .openapi('CreateSandboxPayment')

const route = createRoute({
  method: 'post',
  path: '/sandbox/payments/create',
  operationId: 'createSandboxPayment',
  tags: ['sandbox'],
  summary: 'Create a payment that behaves like a real one and settles nothing',
  request: { body: jsonBody(CreateSandboxPayment) },
  responses: {
    200: jsonContent(
      'created, or repeated',
      z.object({
        success: z.literal(true),
        message: z.string(),
        payment: z.object({ ...createdPaymentShape, feeAmount: z.string() }).openapi('SandboxPayment'),
      }),
    ),
    ...errorResponses,
  },
})

const testNote =
  'This is a test payment: nobody can pay it. POST /sandbox/payments/{paymentId}/simulate lets things happen.'

type Deps = {
  createSandboxPayment: ReturnType<typeof createSandboxPayments>
  requireCaller: MiddlewareHandler<Env>
}

export function createSandboxPaymentRoute(app: OpenAPIHono<Env>, { createSandboxPayment, requireCaller }: Deps) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    const body = c.req.valid('json')
    const key = idempotencyKey(c.req.header('idempotency-key'), body.orderId)
    const created = await createSandboxPayment(c.get('caller'), requestInfo(c), body, key)
    c.set('paymentId', created.payment.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json({ success: true as const, message: testNote, payment: created.payment }, 200)
  })
}
