import { z } from '@hono/zod-openapi'
import { requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createdBody } from '../create-response.ts'
import { contractCall, contractShape } from '../wire/contract-schemas.ts'
import { createdPaymentShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { CreateContractPayment } from './create-contract-payment.ts'
import { senderAddress } from './named-sender.ts'

const CreatePayment = z
  .object({
    ...fields.money,
    currency: fields.currency,
    network: fields.networkName,
    ...fields.attachments,
    ...fields.agent,
    autonomous: z.unknown().optional().openapi({ type: 'boolean' }),
    existingPaymentId: fields.existingPaymentId,
    senderAddress: senderAddress.optional().openapi({
      description:
        'The paying wallet. Only for older clients on Solana (`lenientClients`), whose transfers do not name the payment: only this wallet’s transfers pay it.',
    }),
  })
  .refine((body) => (body.agentId === undefined) === (body.agentOwner === undefined), {
    error: 'Both agentId and agentOwner must be provided together',
  })
  .openapi('CreatePayment')

const contractCreatedResponse = z.object({
  success: z.literal(true),
  requestId: z.string(),
  amount: z.number(),
  serverTime: time,
  payment: z
    .object({ ...createdPaymentShape, ...contractShape, contractCall: contractCall.optional() })
    .openapi('ContractPayment'),
})

const route = defineOperation({
  method: 'post',
  path: '/payments/create',
  access: 'key',
  role: 'staff',
  passkey: 'ifCallback',
  rate: 'creates',
  idempotency: 'body',
  operationId: 'createContractPayment',
  tags: ['contract payments'],
  summary: "Create a contract payment, which the customer's wallet pays in one call",
  request: { body: jsonBody(CreatePayment) },
  responses: { 200: jsonContent('created, or repeated', contractCreatedResponse), ...errorResponses },
})

type Deps = {
  createContractPayment: CreateContractPayment
  runtime: Runtime
}

export function createContractPaymentRoute(api: Operations, deps: Deps) {
  const { createContractPayment, runtime } = deps
  api.serve(route, async (c) => {
    const body = c.req.valid('json')
    const key = await requestKey(c, body.orderId)
    const order = Object.assign(body, { autonomous: body.autonomous === true })
    const created = await createContractPayment(c.get('caller'), requestInfo(c), order, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json(createdBody(created, { nowMs: runtime.nowMs(), includeQr: false }), 200)
  })
}
