import { z } from '@hono/zod-openapi'
import { errorResponses, jsonContent, paymentIdParam } from '../../access/common-schemas.ts'
import { defineOperation } from '../../access/operation.ts'
import type { Operations } from '../../access/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import { outcomeOf, type PaymentId } from '../../payment/payment.ts'
import type { FailPayment } from '../fail-payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { Details } from './stablezact-rules.ts'

const detailsResponse = z.object({
  success: z.literal(true),
  paymentId: z.string(),
  status: z.string(),
  network: z.string(),
  currency: z.string(),
  amount: z.union([z.number(), z.string()]),
  confirmations: z.number(),
  timestamp: z.string().nullable(),
  transactionHash: z.string().optional(),
  merchantWallet: z.string().optional(),
})

/** Clients of that service only: in no document, and not for the dashboard. */
const forClients = { access: 'key', role: 'none', hide: true } as const

const ofPayment = {
  ...forClients,
  method: 'post',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('the payment as these clients read it', detailsResponse), ...errorResponses },
} as const

const captureRoute = defineOperation({
  ...ofPayment,
  path: '/payments/{paymentId}/capture',
  operationId: 'captureStablezactPayment',
})

const cancelRoute = defineOperation({
  ...ofPayment,
  path: '/payments/{paymentId}/cancel',
  operationId: 'cancelStablezactPayment',
})

const walletsResponse = z.object({
  success: z.literal(true),
  wallets: z.array(z.object({ networkShortName: z.string(), walletAddress: z.string() })),
})

const walletsRoute = defineOperation({
  ...forClients,
  method: 'get',
  path: '/merchants/wallets',
  operationId: 'listStablezactWallets',
  responses: { 200: jsonContent('the settlement wallets', walletsResponse), ...errorResponses },
})

type Deps = { read: ReadPayment; failPayment: FailPayment; details: Details }

export function stablezactRoutes(api: Operations, { read, failPayment, details }: Deps) {
  /** A stablecoin payment is captured when it is paid: a repeat answers the same. */
  api.serve(captureRoute, async (c) => {
    const caller = c.get('caller')
    const payment = await read.own(caller, c.req.valid('param').paymentId as PaymentId, 404)
    const shown = details.of(payment, caller)
    if (shown.status !== 'confirmed') {
      throw new PaymentError('PAYMENT_NOT_PAID', `The payment ${payment.id} cannot be captured: it is ${shown.status}.`)
    }
    return c.json({ success: true as const, ...shown }, 200)
  })

  /** Refused rather than skipped, because these clients delete their record of a payment that was cancelled. */
  api.serve(cancelRoute, async (c) => {
    const caller = c.get('caller')
    const id = c.req.valid('param').paymentId as PaymentId
    const requester = { caller, hasClientSecret: false }
    const { message, skipped } = await failPayment(requester, id, { as: 'cancelled', reason: undefined })
    const payment = await read.own(caller, id, 404)
    if (skipped && outcomeOf(payment) !== 'failed') throw new PaymentError('CANCEL_REFUSED', message)
    return c.json({ success: true as const, ...details.of(payment, caller) }, 200)
  })

  /** Each of them is in every contract payment of its network, so a public key learns nothing new. */
  api.serve(walletsRoute, (c) => {
    const wallets = [...c.get('caller').wallets].map(([networkShortName, walletAddress]) => ({
      networkShortName,
      walletAddress,
    }))
    return c.json({ success: true as const, wallets }, 200)
  })
}
