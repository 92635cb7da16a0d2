import { z } from '@hono/zod-openapi'
import { setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { networkOf } from '../../access/http/client-address.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import {
  errorBody,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Sponsor } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { chainFamilies } from '../../chain/index.ts'
import { createMinuteShares } from '../../chain/minute-bound.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { createTokenAccountWaits } from '../authorization/token-account-waits.ts'
import type { ReadPayment } from '../read/payment-reader.ts'

const path = '/payments/solana-pay/{paymentId}' as const
const iconPath = '/payments/solana-pay-icon.svg' as const

const feePayers = ['service', 'customer'] as const

const { hasAddressForm, addressFormat } = chainFamilies.solana

const labelRoute = defineOperation({
  method: 'get',
  path,
  access: 'open',
  operationId: 'readSolanaPayRequest',
  tags: ['contract payments'],
  summary: 'Solana Pay transaction request: the label and icon of the merchant',
  request: { params: paymentIdParam },
  responses: {
    200: jsonContent('the label and icon that the wallet shows', z.object({ label: z.string(), icon: z.string() })),
    ...errorResponses,
  },
})

const transactionRoute = defineOperation({
  method: 'post',
  path,
  access: 'open',
  operationId: 'createSolanaPayTransaction',
  tags: ['contract payments'],
  summary: 'Solana Pay transaction request: the transaction that the wallet is to sign and send',
  request: {
    params: paymentIdParam,
    body: jsonBody(
      z
        .object({
          account: z
            .string('account is required')
            .refine(hasAddressForm, `account must be a Solana address: ${addressFormat}`),
          feePayer: z
            .enum(feePayers, `feePayer must be one of ${feePayers.join(', ')}`)
            .optional()
            .openapi({
              description:
                'Who pays the network’s fee. Default: `service` for a deposit, `customer` for a wallet payment.',
            }),
        })
        .openapi('SolanaPayRequest'),
    ),
  },
  responses: {
    200: jsonContent(
      'an unsigned transaction of that account, in base64. If the service pays the fee, sign the transaction and post it to `/payments/{id}/authorize`',
      z.object({ transaction: z.string(), message: z.string() }),
    ),
    ...errorResponses,
    503: jsonContent('no node responds; try again', errorBody),
  },
})

const iconRoute = defineOperation({
  method: 'get',
  path: iconPath,
  access: 'open',
  hide: true,
  operationId: 'readSolanaPayIcon',
  responses: {},
})

/** A coin on a plain background, shown by wallets beside the merchant's name. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#14202b"/>' +
  '<circle cx="32" cy="32" r="17" fill="none" stroke="#fff" stroke-width="5"/><path d="M32 23v18" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>'

/** Half of the response timeout of the element, and of wallets that call directly. */
const readyWithinMs = 10_000

/** Transactions made per minute: each costs two or three node calls, and anyone with a payment's id may ask. */
const transactionsPerMinute = { perClient: 60, perMerchant: 400, all: 600 }

type Deps = {
  chains: ReadonlyMap<string, WalletPayments>
  read: ReadPayment
  runtime: Pick<Runtime, 'nowMs'>
  limits: RateLimits
  clientDigest: (address: string) => string
  stopping: AbortSignal
}

const tooManyTransactions = () =>
  new PaymentError('RATE_LIMITED', 'Too many transactions are being made; try again in a minute.', {
    retryAfterSeconds: 60,
  })

/** The routes need no key: the calling wallet knows only the payment's id, from its link. */
export function solanaPayRoutes(api: Operations, deps: Deps) {
  const waitForTokenAccount = createTokenAccountWaits(deps.stopping, readyWithinMs)
  const shares = createMinuteShares(transactionsPerMinute, deps.runtime.nowMs)

  /**
   * Waits while the payment's token account is being created, because a refusal would log an error in the customer's
   * browser console.
   */
  async function sponsored(sponsor: Sponsor, payment: Payment, account: string, client: string) {
    try {
      return await sponsor.transactionOf(payment, account)
    } catch (error) {
      const isEarly = error instanceof PaymentError && error.code === 'NOT_READY' && payment.mode === 'deposit'
      if (!isEarly || !(await waitForTokenAccount(sponsor, payment, client))) throw error
      return await sponsor.transactionOf(payment, account)
    }
  }

  /**
   * The factory of the payment's transaction: either the service pays the network fee and `authorize` sends it, or the
   * customer pays the fee and sends it.
   * @throws {PaymentError} for payments without a wallet transaction.
   */
  function requestable(payment: Payment, asked?: (typeof feePayers)[number]) {
    const { requestedTransaction, authorizer } = deps.chains.get(payment.network) ?? {}
    const isBridged = payment.mode === 'deposit' && payment.bridge !== undefined
    const feePayer = asked ?? (payment.mode === 'deposit' ? 'service' : 'customer')
    const sponsor = authorizer?.limits ? authorizer.sponsor : undefined
    if (!isBridged && feePayer === 'service' && sponsor)
      return (account: string, _: AbortSignal, client: string) => sponsored(sponsor, payment, account, client)
    if (!isBridged && feePayer === 'customer' && requestedTransaction) {
      return (account: string, signal: AbortSignal) => requestedTransaction(payment, account, signal)
    }
    const message = 'This payment is not paid by a Solana wallet.'
    throw new PaymentError('NOT_A_SOLANA_PAYMENT', message)
  }

  api.serveUnvalidated(iconRoute, (c) => {
    setHeader(c, 'Cache-Control', 'public, max-age=86400')
    // The type is passed with the body: set before, it would be overridden by plain text's.
    return c.body(icon, 200, { 'Content-Type': 'image/svg+xml', 'X-Content-Type-Options': 'nosniff' })
  })

  api.serve(labelRoute, async (c) => {
    const payment = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    requestable(payment)
    const base = c.get('origin') ?? new URL(c.req.url).origin
    return c.json({ label: payment.merchantName, icon: `${base}/api/v1${iconPath}` }, 200)
  })

  api.serve(transactionRoute, async (c) => {
    const found = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    setHeader(c, 'Cache-Control', 'no-store')
    const { account, feePayer } = c.req.valid('json')
    const make = requestable(found, feePayer)
    const address = deps.limits.addressOf(c)
    // One stranger may have a whole IPv6 network.
    if (!shares.take({ client: networkOf(address), merchantId: found.merchantId })) throw tooManyTransactions()
    return c.json(await make(account, c.req.raw.signal, deps.clientDigest(address)), 200)
  })
}
