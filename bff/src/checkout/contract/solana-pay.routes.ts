import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { WalletPayments } from '../../chain/family.ts'
import { chainFamilies } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { errorBody, errorResponses, paymentIdParam } from '../../http/common-schemas.ts'
import { type Env, setHeader } from '../../http/env.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'

const path = '/payments/solana-pay/{paymentId}' as const
const iconPath = '/payments/solana-pay-icon.svg' as const

const { hasAddressForm, addressFormat } = chainFamilies.solana

const labelRoute = createRoute({
  method: 'get',
  path,
  summary: 'Solana Pay transaction request: who asks for the money',
  request: { params: paymentIdParam },
  responses: {
    200: {
      description: 'what the wallet shows',
      content: { 'application/json': { schema: z.object({ label: z.string(), icon: z.string() }) } },
    },
    ...errorResponses,
  },
})

const transactionRoute = createRoute({
  method: 'post',
  path,
  summary: 'Solana Pay transaction request: the transaction that the wallet is to sign and send',
  request: {
    params: paymentIdParam,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .object({
              account: z
                .string('account is required')
                .refine(hasAddressForm, `account must be a Solana address: ${addressFormat}`),
            })
            .openapi('SolanaPayRequest'),
        },
      },
    },
  },
  responses: {
    200: {
      description: 'an unsigned transaction of that account, in base64',
      content: { 'application/json': { schema: z.object({ transaction: z.string(), message: z.string() }) } },
    },
    ...errorResponses,
    503: {
      description: 'no node answers; try again',
      content: { 'application/json': { schema: errorBody } },
    },
  },
})

/** A coin on a plain background, which wallets show beside the merchant's name. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#14202b"/>' +
  '<circle cx="32" cy="32" r="17" fill="none" stroke="#fff" stroke-width="5"/><path d="M32 23v18" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>'

type Deps = { chains: ReadonlyMap<string, WalletPayments>; read: ReadPayment }

/** The routes need no key: the wallet that asks knows only the payment's id, from its link. */
export function solanaPayRoutes(app: OpenAPIHono<Env>, deps: Deps) {
  /** @throws {PaymentError} for payments that no wallet asks for a transaction. */
  function requestable(payment: Payment) {
    const requestedTransaction = deps.chains.get(payment.network)?.requestedTransaction
    if (payment.mode === 'contract' && requestedTransaction !== undefined) return { payment, requestedTransaction }
    const message = 'The payment is not one that a wallet on Solana makes.'
    throw new PaymentError('NOT_A_SOLANA_PAYMENT', message, { status: 400, error: 'No transaction' })
  }

  app.get(iconPath, (c) => {
    setHeader(c, 'Cache-Control', 'public, max-age=86400')
    // The type is passed with the body: set on the response before, it would be replaced by that of plain text.
    return c.body(icon, 200, { 'Content-Type': 'image/svg+xml', 'X-Content-Type-Options': 'nosniff' })
  })

  app.openapi(labelRoute, async (c) => {
    const payment = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    requestable(payment)
    const base = c.get('origin') ?? new URL(c.req.url).origin
    return c.json({ label: payment.merchantName, icon: `${base}/api/v1${iconPath}` }, 200)
  })

  app.openapi(transactionRoute, async (c) => {
    const found = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    setHeader(c, 'Cache-Control', 'no-store')
    const { payment, requestedTransaction } = requestable(found)
    return c.json(await requestedTransaction(payment, c.req.valid('json').account, c.req.raw.signal), 200)
  })
}
