import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { isSolanaAddress } from '../../chain/solana/solana-address.ts'
import { createSolanaPay } from '../../chain/solana/split/solana-pay.ts'
import { errorBody, errorResponses, paymentIdParam } from '../../http/common-schemas.ts'
import { type Env, setHeader } from '../../http/env.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'

const path = '/payments/solana-pay/{paymentId}' as const
const iconPath = '/payments/solana-pay-icon.svg' as const

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
                .refine(isSolanaAddress, 'account must be a Solana address: 32 bytes in base58'),
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

/** A coin on a plain ground: wallets show it beside the merchant's name. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#14202b"/>' +
  '<circle cx="32" cy="32" r="17" fill="none" stroke="#fff" stroke-width="5"/><path d="M32 23v18" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>'

type Deps = Parameters<typeof createSolanaPay>[0] & { read: ReadPayment }

/** No key: a wallet asks, which knows the payment's id from its link. */
export function solanaPayRoutes(app: OpenAPIHono<Env>, deps: Deps) {
  const solanaPay = createSolanaPay(deps)

  app.get(iconPath, (c) => {
    setHeader(c, 'Cache-Control', 'public, max-age=86400')
    // With the body: a type that is set on the raw response gives way to that of plain text.
    return c.body(icon, 200, { 'Content-Type': 'image/svg+xml', 'X-Content-Type-Options': 'nosniff' })
  })

  app.openapi(labelRoute, async (c) => {
    const payment = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    solanaPay.termsOf(payment)
    const base = c.get('origin') ?? new URL(c.req.url).origin
    return c.json({ label: payment.merchantName, icon: `${base}/api/v1${iconPath}` }, 200)
  })

  app.openapi(transactionRoute, async (c) => {
    const payment = await deps.read.byId(c.req.valid('param').paymentId as PaymentId)
    setHeader(c, 'Cache-Control', 'no-store')
    return c.json(await solanaPay.transaction(payment, c.req.valid('json').account, c.req.raw.signal), 200)
  })
}
