import { z } from '@hono/zod-openapi'
import { requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { createdPaymentShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import { type createSandboxPayments, sandboxModes } from './create-sandbox.ts'

const CreateSandboxPayment = z
  .object({
    ...fields.money,
    currency: fields.currency,
    network: fields.networkName.optional(),
    paymentMode: z
      .enum(sandboxModes, 'paymentMode must be deposit or contract')
      .default('deposit')
      .openapi({ description: 'The mode of the payment: what `/deposits/create` or `/payments/create` would make.' }),
    ...fields.attachments,
  })
  .openapi('CreateSandboxPayment')

const route = defineOperation({
  method: 'post',
  path: '/sandbox/payments/create',
  access: 'key',
  role: 'staff',
  passkey: 'ifCallback',
  scope: 'agent',
  rate: 'creates',
  idempotency: 'orderId',
  operationId: 'createSandboxPayment',
  tags: ['sandbox'],
  summary: 'Create a test payment, which moves no money',
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
}

export function createSandboxPaymentRoute(api: Operations, { createSandboxPayment }: Deps) {
  api.serve(route, async (c) => {
    const body = c.req.valid('json')
    const key = await requestKey(c, body.orderId)
    const created = await createSandboxPayment(c.get('caller'), requestInfo(c), body, key)
    c.set('paymentId', created.payment.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json({ success: true as const, message: testNote, payment: created.payment }, 200)
  })
}
