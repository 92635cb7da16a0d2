import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { findNetwork, type Networks } from '../chain/networks.ts'
import { PaymentError, ValidationError } from '../errors.ts'
import type { Env } from '../http/env.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import * as schemas from '../http/schemas.ts'
import { parseAmount } from '../money.ts'
import { outcomeOf, type PaymentId } from '../payment/payment.ts'
import type { ReadPayment } from '../payment/read.ts'

/** Decimals to judge an amount by where the currency has none on the network, so that a bad amount is named first. */
const decimalsMost = 18

const CreatePayment = z
  .object({
    amount: schemas.amount,
    currency: z.enum(['USDT', 'USDC', 'DAI', 'BUSD'], 'currency must be USDT, USDC, DAI or BUSD'),
    network: schemas.networkName,
    customerEmail: schemas.customerEmail.optional(),
    callbackUrl: schemas.callbackUrl.optional(),
    orderId: schemas.orderId.optional(),
    metadata: schemas.metadata.optional(),
    agentId: schemas.agentId.optional(),
    agentOwner: schemas.agentOwner.optional(),
  })
  .refine((body) => (body.agentId === undefined) === (body.agentOwner === undefined), {
    error: 'Both agentId and agentOwner must be provided together',
  })
  .openapi('CreatePayment')

const createPaymentRoute = createRoute({
  method: 'post',
  path: '/payments/create',
  summary: "Create a contract payment, which the customer's wallet pays in one call",
  request: { body: { required: true, content: { 'application/json': { schema: CreatePayment } } } },
  responses: schemas.errorResponses,
})

const ProcessPayment = z
  .object({
    paymentId: schemas.paymentId,
    network: schemas.networkName,
    transactionHash: z.string('transactionHash is required').min(1, 'transactionHash is required').max(100),
    senderAddress: z.string().max(100).optional(),
  })
  .openapi('ProcessPayment')

const processRoute = createRoute({
  method: 'post',
  path: '/payments/process',
  summary: 'Submit a broadcast transaction for verification on chain',
  request: { body: { required: true, content: { 'application/json': { schema: ProcessPayment } } } },
  responses: schemas.errorResponses,
})

type Deps = { networks: Networks; read: ReadPayment; requireCaller: MiddlewareHandler<Env> }

/** The contract of contract payments. No network of this version has a splitter, and every answer says so. */
export function contractPaymentRoutes(app: OpenAPIHono<Env>, { networks, read, requireCaller }: Deps) {
  app.openapi({ ...createPaymentRoute, middleware: [requireCaller] as const }, (c) => {
    const body = c.req.valid('json')
    idempotencyKey(c.req.header('idempotency-key'), body.orderId)
    const network = findNetwork(networks, body.network)
    if (!network) throw new ValidationError(`network "${body.network}" is not supported`, 'NETWORK_NOT_SUPPORTED')
    const token = network.tokens.find(({ symbol }) => symbol === body.currency)
    parseAmount(body.amount, token?.decimals ?? decimalsMost)
    if (!token) {
      throw new ValidationError(
        `currency ${body.currency} is not supported on ${network.name}`,
        'CURRENCY_NOT_SUPPORTED',
      )
    }
    if (!c.get('caller').wallets.has(network.shortName)) {
      const message = `No settlement wallet is configured for ${network.name} (${network.shortName}).`
      throw new ValidationError(message, 'WALLET_MISSING')
    }
    const message = `Contract payments are not supported on ${network.name} yet; create a deposit instead.`
    throw new PaymentError('CONTRACT_PAYMENTS_NOT_SUPPORTED', message, { status: 400 })
  })

  app.openapi({ ...processRoute, middleware: [requireCaller] as const }, async (c) => {
    const body = c.req.valid('json')
    const payment = await read.own(c.get('caller'), body.paymentId as PaymentId, 404)
    const network = findNetwork(networks, body.network)
    if (network?.shortName !== payment.network) {
      throw new ValidationError(`network must be ${payment.network}, the network of the payment, not "${body.network}"`)
    }
    if (!/^0x[0-9a-fA-F]{64}$/.test(body.transactionHash)) {
      throw new ValidationError('transactionHash must be 0x and 64 hex digits')
    }
    if (body.senderAddress !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(body.senderAddress)) {
      throw new ValidationError(`senderAddress must be an address of ${network.name}: 0x and 40 hex digits`)
    }
    const isAlreadyCompleted = outcomeOf(payment) === 'paid'
    const message = isAlreadyCompleted
      ? 'The payment is paid already.'
      : 'The payment is paid to its deposit address, which is watched; there is nothing to submit.'
    throw new PaymentError('NOT_A_CONTRACT_PAYMENT', message, { status: 400, fields: { isAlreadyCompleted } })
  })
}
