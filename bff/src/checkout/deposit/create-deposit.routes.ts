import { z } from '@hono/zod-openapi'
import { requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createdBody } from '../create-response.ts'
import { createdPaymentShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { createDeposits } from './create-deposit.ts'

export const CreateDeposit = z
  .object({
    ...fields.money,
    currency: fields.currency,
    network: fields.networkName,
    ...fields.attachments,
    expiresIn: z.unknown().optional().openapi({ type: 'integer', description: 'Ignored: the window is 900 seconds.' }),
    ...fields.agent,
    autonomous: z.boolean('autonomous must be true or false').optional(),
    existingPaymentId: fields.existingPaymentId,
  })
  .openapi('CreateDeposit')

export const createdResponse = z.object({
  success: z.literal(true),
  requestId: z.string(),
  serverTime: time,
  payment: z.object(createdPaymentShape).openapi('CreatedPayment'),
})

export const createDepositOperation = defineOperation({
  method: 'post',
  path: '/deposits/create',
  access: 'key',
  role: 'staff',
  passkey: 'ifCallback',
  scope: 'agent',
  rate: 'creates',
  idempotency: 'orderId',
  operationId: 'createDeposit',
  tags: ['deposits'],
  summary: 'Create a deposit-address payment',
  request: { query: fields.includeQuery, body: jsonBody(CreateDeposit) },
  responses: { 200: jsonContent('created, or repeated', createdResponse), ...errorResponses },
})

type Deps = {
  createDeposit: ReturnType<typeof createDeposits>
  runtime: Runtime
}

export function createDepositRoute(api: Operations, { createDeposit, runtime }: Deps) {
  api.serve(createDepositOperation, async (c) => {
    const body = c.req.valid('json')
    const key = await requestKey(c, body.orderId)
    const created = await createDeposit(c.get('caller'), requestInfo(c), body, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    const includeQr = c.req.valid('query').include === 'qr'
    return c.json(createdBody(created, { nowMs: runtime.nowMs(), includeQr }), 200)
  })
}
