import { z } from '@hono/zod-openapi'
import { requestInfo, setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import {
  errorBody,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentIdParam,
  time,
} from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import { bridgeOf, bridgeView } from '../../payment/bridge.ts'
import { bridgeStatuses, type Payment, type PaymentId } from '../../payment/payment.ts'
import { createdBody } from '../create-response.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { bridgeShape } from '../wire/cross-chain-schemas.ts'
import { createdPaymentShape, statusShape } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { CreateCrossChainPayment } from './create-cross-chain.ts'

const expiresInMaxSeconds = 7 * 24 * 60 * 60

/** Limit for public keys, which anybody may hold: the service watches an open payment for its whole window. */
const publicExpiresInMaxSeconds = 24 * 60 * 60

const CreateCrossChain = z
  .object({
    ...fields.money,
    originChainId: z.int('originChainId must be the id of an EVM chain').positive(),
    originCurrency: z
      .string('originCurrency is required')
      .min(1, 'originCurrency is required')
      .max(100)
      .openapi({ description: 'Symbol or address of the token that the customer sends.', example: 'USDC' }),
    network: fields.networkName.optional().openapi({
      description:
        'The network on which the merchant is paid. Default: the first of its networks that the bridge reaches.',
    }),
    currency: fields.currency
      .optional()
      .openapi({ description: 'The token that the merchant receives. Default: the token that the customer sends.' }),
    ...fields.attachments,
    expiresIn: z
      .int('expiresIn must be whole seconds')
      .min(1)
      .max(expiresInMaxSeconds, `expiresIn must be at most ${expiresInMaxSeconds} seconds`)
      .optional()
      .openapi({
        description: `Seconds. Default: 1800. With a public key at most ${publicExpiresInMaxSeconds}; longer requires API key and secret.`,
      }),
    existingPaymentId: fields.existingPaymentId,
  })
  .openapi('CreateCrossChainPayment')

const crossChainCreatedResponse = z.object({
  success: z.literal(true),
  requestId: z.string(),
  serverTime: time,
  payment: z.object({ ...createdPaymentShape, ...bridgeShape }).openapi('CrossChainPayment'),
})

const createCrossChainRoute = defineOperation({
  method: 'post',
  path: '/payments/cross-chain/create',
  access: 'key',
  role: 'staff',
  passkey: 'ifCallback',
  rate: 'creates',
  idempotency: 'orderId',
  operationId: 'createCrossChainPayment',
  tags: ['cross-chain'],
  summary: 'Create a payment that the customer makes on another chain',
  description:
    'Refusals have a `code`: ORIGIN_NOT_SUPPORTED, ORIGIN_REFUND_NOT_SUPPORTED, NO_DESTINATION, NO_ROUTE, BRIDGE_REFUSED.',
  request: { query: fields.includeQuery, body: jsonBody(CreateCrossChain) },
  responses: {
    200: jsonContent('created, or repeated', crossChainCreatedResponse),
    503: jsonContent('The bridge does not answer. Retry after `Retry-After` seconds.', errorBody),
    ...errorResponses,
  },
})

const bridgeResponse = z.object({
  success: z.literal(true),
  payment: z.object({
    ...statusShape,
    bridgeStatus: z.enum(bridgeStatuses).nullable(),
    ...z.object(bridgeShape).partial().shape,
  }),
})

const statusRoute = defineOperation({
  method: 'get',
  path: '/payments/cross-chain/status/{paymentId}',
  access: 'key',
  role: 'viewer',
  operationId: 'readCrossChainStatus',
  tags: ['cross-chain'],
  summary: 'Progress of the bridge, with the transactions on both chains',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('the payment', bridgeResponse), ...errorResponses },
})

type Deps = {
  read: ReadPayment
  viewer: PaymentViewer
  runtime: Runtime
  createCrossChain: CreateCrossChainPayment
}

export function crossChainRoutes(api: Operations, { read, viewer, runtime, createCrossChain }: Deps) {
  api.serve(createCrossChainRoute, async (c) => {
    const body = c.req.valid('json')
    const caller = c.get('caller')
    if (caller.kind === 'public' && (body.expiresIn ?? 0) > publicExpiresInMaxSeconds) {
      const rule = `must be at most ${publicExpiresInMaxSeconds} seconds with a public key; longer requires API key and secret`
      throw new ValidationError(`expiresIn ${rule}`)
    }
    const key = await requestKey(c, body.orderId)
    const created = await createCrossChain(caller, requestInfo(c), body, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    const includeQr = c.req.valid('query').include === 'qr'
    return c.json(createdBody(created, { nowMs: runtime.nowMs(), includeQr }), 200)
  })

  api.serve(statusRoute, async (c) => {
    const payment = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    return c.json({ success: true as const, payment: { ...viewer.status(payment), ...bridgeFields(payment) } }, 200)
  })
}

/** Empty when the payment has no bridge: `bridgeStatus` is then null. */
function bridgeFields(payment: Payment) {
  const bridge = bridgeOf(payment)
  return bridge && payment.mode === 'deposit' ? bridgeView(payment, bridge) : {}
}
