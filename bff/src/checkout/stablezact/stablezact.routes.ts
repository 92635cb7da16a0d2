import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import { formatAmount, parseAmount } from '../../core/money.ts'
import { outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import type { FailPayment } from '../fail-payment.ts'
import type { MerchantRefundViewer } from '../merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from '../merchant-refund/merchant-refunds.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { MerchantRefundRequest } from '../wire/merchant-refund-schemas.ts'
import { type Details, wholeRefundOf } from './stablezact-rules.ts'

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

/** Only for clients of that service: hidden from the API reference, and not for the dashboard. */
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

/** These clients send no Idempotency-Key, so a repeated body is the same refund. */
const refundRoute = defineOperation({
  ...ofPayment,
  path: '/payments/{paymentId}/refund',
  operationId: 'refundStablezactPayment',
  access: 'secret',
  secretFor: 'Refunds are',
  idempotency: 'body',
  request: {
    params: paymentIdParam,
    body: jsonBody(MerchantRefundRequest.pick({ amount: true, reason: true })),
  },
  responses: {
    200: jsonContent(
      'the payment as these clients read it, and the refund that the merchant pays',
      detailsResponse.extend({
        refund: z.object({ id: z.string(), status: z.string(), amount: z.string(), pageUrl: z.string().nullable() }),
      }),
    ),
    ...errorResponses,
  },
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

type Deps = {
  read: ReadPayment
  failPayment: FailPayment
  details: Details
  merchantRefunds: MerchantRefunds
  refundViewer: MerchantRefundViewer
}

export function stablezactRoutes(api: Operations, deps: Deps) {
  const { read, failPayment, details, merchantRefunds, refundViewer } = deps

  /** A stablecoin payment counts as captured once it is paid. A repeat returns the same response. */
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

  /** Requests the refund: the merchant's wallet pays it later. */
  api.serve(refundRoute, async (c) => {
    const caller = c.get('caller')
    const id = c.req.valid('param').paymentId as PaymentId
    const { amount, reason } = c.req.valid('json')
    const asked = { amount: askedOf(await read.own(caller, id, 404), amount), reason }
    const { refund } = await merchantRefunds.request(caller, id, asked, await requestKey(c))
    // These clients record the payment as refunded when this returns 200.
    if (refund.status === 'cancelled') throw new PaymentError('REFUND_ENDED', `Refund ${refund.id} was cancelled.`)
    const { payment, ...stored } = await merchantRefunds.byId(refund.id)
    const { status, amount: tokens, pageUrl } = refundViewer.merchant(stored, caller, c.get('origin'))
    const ofRefund = { id: refund.id, status, amount: tokens, pageUrl }
    return c.json({ success: true as const, ...details.of(payment, caller), refund: ofRefund }, 200)
  })

  /** Every contract payment discloses the wallet of its network, so a public key learns nothing new. */
  api.serve(walletsRoute, (c) => {
    const wallets = [...c.get('caller').wallets].map(([networkShortName, walletAddress]) => ({
      networkShortName,
      walletAddress,
    }))
    return c.json({ success: true as const, wallets }, 200)
  })
}

/**
 * These clients request the amount due. If the merchant accepted less, only that can be refunded.
 * @returns whole tokens; undefined: everything not yet refunded.
 */
function askedOf(payment: Payment, amount: string | number | undefined): string | undefined {
  if (amount === undefined) return undefined
  const asked = parseAmount(amount, payment.tokenDecimals)
  const whole = wholeRefundOf(payment)
  return formatAmount(asked === payment.due && whole > 0n ? whole : asked, payment.tokenDecimals)
}
