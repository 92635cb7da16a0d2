import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import stringify from 'safe-stable-stringify'
import { verifyDepth } from '../../access/body-limit.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../../access/common-schemas.ts'
import { type Env, requestInfo, setHeader } from '../../access/env.ts'
import { defineOperation } from '../../access/operation.ts'
import type { Operations } from '../../access/operations.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createdBody } from '../create-response.ts'
import { type IdempotencyKey, idempotencyKey } from '../idempotency-store.ts'
import { contractCall, contractShape } from '../wire/contract-schemas.ts'
import { createdPaymentShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { CreateContractPayment } from './create-contract-payment.ts'
import { senderAddress } from './named-sender.ts'

const CreatePayment = z
  .object({
    ...fields.money,
    currency: z.enum(['USDT', 'USDC', 'DAI', 'BUSD'], 'currency must be USDT, USDC, DAI or BUSD'),
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
    const key = idempotencyKey(c.req.header('idempotency-key'), body.orderId) ?? bodyKey(c, await c.req.text())
    const order = Object.assign(body, { autonomous: body.autonomous === true })
    const created = await createContractPayment(c.get('caller'), requestInfo(c), order, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json(createdBody(created, { nowMs: runtime.nowMs(), includeQr: false }), 200)
  })
}

/**
 * A fingerprint of the whole body, whatever the order of its keys and however its amount is written. For callers with a public
 * key the client's headers are part of it, so that two shoppers who buy the same thing do not share a payment. The headers can be
 * forged, and a forger gains nothing by it.
 */
function bodyKey(c: Context<Env>, text: string): IdempotencyKey {
  const body = c.get('bodyAsSent') ?? (JSON.parse(text) as Record<string, unknown>)
  verifyDepth(body)
  const { id, kind } = c.get('caller')
  const sender = kind === 'public' ? [c.req.header('x-forwarded-for'), c.req.header('user-agent')] : []
  const value = createHash('sha256')
    .update(stringify([id, ...sender, { ...body, ...plainMoney(body) }]))
    .digest('hex')
  return { kind: 'body', value }
}

/** The money fields of a body that has them, each in one spelling. */
function plainMoney(body: Record<string, unknown>): Record<string, string> {
  const named = ['amount', 'price'].filter((name) => body[name] !== undefined)
  return Object.fromEntries(named.map((name) => [name, plainAmount(String(body[name]))]))
}

/** One spelling of an amount: 25, "25.00" and "025.0" are "25". */
const plainAmount = (text: string): string =>
  text
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
