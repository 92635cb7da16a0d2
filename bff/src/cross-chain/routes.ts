import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { PaymentError } from '../errors.ts'
import * as answers from '../http/answers.ts'
import type { Env } from '../http/env.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import * as schemas from '../http/schemas.ts'
import { parseAmount } from '../money.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { ReadPayment } from '../payment/read.ts'
import type { PaymentViewer } from '../payment/view.ts'

/** Solana and Bitcoin as relays number them: the chains that customers most often ask for and that are not EVM. */
const otherVirtualMachines: ReadonlySet<number> = new Set([792_703_809, 8_253_038, 101, 103])

/** As many as any stablecoin has. */
const decimalsMost = 18
const expiresInMaxSeconds = 7 * 24 * 60 * 60

const CreateCrossChain = z
  .object({
    amount: schemas.amount,
    originChainId: z.int('originChainId is required: the id of an EVM chain').positive(),
    originCurrency: z.string('originCurrency is required').min(1, 'originCurrency is required').max(100),
    customerEmail: schemas.customerEmail.optional(),
    callbackUrl: schemas.callbackUrl.optional(),
    orderId: schemas.orderId.optional(),
    metadata: schemas.metadata.optional(),
    expiresIn: z
      .int('expiresIn must be whole seconds')
      .min(1)
      .max(expiresInMaxSeconds, `expiresIn must be at most ${expiresInMaxSeconds} seconds`)
      .optional(),
  })
  .openapi('CreateCrossChainPayment')

const createCrossChainRoute = createRoute({
  method: 'post',
  path: '/payments/cross-chain/create',
  summary: 'Create a payment that the customer makes on another chain',
  request: { body: { required: true, content: { 'application/json': { schema: CreateCrossChain } } } },
  responses: schemas.errorResponses,
})

const statusRoute = createRoute({
  method: 'get',
  path: '/payments/cross-chain/status/{paymentId}',
  summary: 'Progress of the bridge',
  request: { params: schemas.paymentIdParam },
  responses: {
    200: { description: 'the payment', content: { 'application/json': { schema: answers.bridgeAnswer } } },
    ...schemas.errorResponses,
  },
})

const refuse = (code: string, message: string): never => {
  throw new PaymentError(code, message, { status: 400 })
}

type Deps = { read: ReadPayment; viewer: PaymentViewer; requireCaller: MiddlewareHandler<Env> }

/** The contract of cross-chain payments. No bridge is connected in this version, so there is no route, and that is the answer. */
export function crossChainRoutes(app: OpenAPIHono<Env>, { read, viewer, requireCaller }: Deps) {
  app.openapi({ ...createCrossChainRoute, middleware: [requireCaller] as const }, (c) => {
    const body = c.req.valid('json')
    idempotencyKey(c.req.header('idempotency-key'), body.orderId)
    parseAmount(body.amount, decimalsMost)
    if (otherVirtualMachines.has(body.originChainId)) {
      refuse('ORIGIN_NOT_SUPPORTED', `Chain ${body.originChainId} is not an EVM chain.`)
    }
    if (c.get('caller').wallets.size === 0) {
      refuse('NO_DESTINATION', 'The account has no settlement wallet on any network.')
    }
    return refuse('NO_ROUTE', 'No bridge is connected to this service yet; create a deposit instead.')
  })

  app.openapi({ ...statusRoute, middleware: [requireCaller] as const }, async (c) => {
    const payment = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    return c.json({ success: true as const, payment: viewer.status(payment) }, 200)
  })
}
