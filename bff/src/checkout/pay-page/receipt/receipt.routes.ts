import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { type ClientSecrets, clientSecretRequired } from '../../../access/callers/client-secret.ts'
import { type Env, setHeader } from '../../../access/context/env.ts'
import { defineOperation } from '../../../access/context/operation.ts'
import { compressPage } from '../../../access/http/compression.ts'
import type { RateLimits } from '../../../access/limits/rate-limit.ts'
import { errorResponses, jsonBody, jsonContent, paymentIdParam } from '../../../access/operation/common-schemas.ts'
import type { Operations } from '../../../access/operation/operation-registry.ts'
import type { Db } from '../../../db/db.ts'
import { loadBranding } from '../../../merchant/branding-store.ts'
import type { Payment, PaymentId } from '../../../payment/payment.ts'
import { isOfRequester } from '../../access.ts'
import type { LinkId } from '../../link/link.ts'
import type { LinkPages } from '../../link/links.part.ts'
import { paymentNotFound, type ReadPayment } from '../../read/payment-reader.ts'
import type { PaymentViewer } from '../../read/payment-view.ts'
import * as fields from '../../wire/request-schemas.ts'
import { languageOf } from '../page-language.ts'
import { renderNoPayment } from '../pay-page.ts'
import { paidBackOfDue, receiptNumberOf, receiptPath, receiptStateOf } from './receipt.ts'
import { type ReceiptRefund, receiptPolicy, renderReceipt } from './receipt-page.ts'

const Receipt = z
  .object({
    number: z.string().openapi({ example: '20261124-7F0F1F4E' }),
    state: z.enum(['paid', 'partlyRefunded', 'refunded', 'notPaid', 'none']).openapi({
      description:
        '`none`: the payment is still open, or nothing was paid. `notPaid`: it ended with less than was due.',
    }),
    url: z.url().nullable().openapi({ description: 'The page for the customer; null: the service has no address.' }),
    orderId: z.string().nullable(),
    description: z.string().nullable().openapi({ description: 'What the payment link was for.' }),
  })
  .openapi('Receipt')

const route = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/receipt',
  access: 'clientSecret',
  role: 'viewer',
  operationId: 'readReceipt',
  tags: ['payments'],
  summary: "A payment's receipt: its number, its page, and the order",
  description:
    'The page `/pay/{paymentId}/receipt` shows the public view to anybody who knows the id, and the order to whoever has the client secret, by this operation.',
  request: { params: paymentIdParam, body: jsonBody(z.object({ clientSecret: fields.givenClientSecret })) },
  responses: {
    200: jsonContent('the receipt', z.object({ success: z.literal(true), receipt: Receipt })),
    ...errorResponses,
  },
})

type Deps = {
  db: Db
  read: ReadPayment
  viewer: PaymentViewer
  clientSecrets: ClientSecrets
  /** Null: payment links are off. */
  links: LinkPages | null
  /** The refunds that the merchant's wallet pays. */
  refundsOf: (payment: Payment) => Promise<readonly ReceiptRefund[]>
  /** Whether the service sends mail. */
  hasMail: boolean
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** Only the shop and the customer may see a receipt's order: a public key or the payment's id alone is not enough. */
export function receiptRoute(
  api: Operations,
  { read, viewer, clientSecrets, links, refundsOf }: Omit<Deps, 'hasMail'>,
) {
  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    c.set('paymentId', id)
    const caller = c.get('callerOrNull')
    const hasClientSecret = clientSecrets.isSecretOf(id, c.req.valid('json').clientSecret)
    if (!hasClientSecret && caller?.kind !== 'api') throw clientSecretRequired()
    const payment = await read.byId(id)
    if (!isOfRequester({ caller, hasClientSecret }, payment)) throw paymentNotFound(id)
    const view = viewer.public(payment, c.get('origin'))
    const link = payment.linkId === null ? undefined : await links?.find(payment.linkId as LinkId)
    const origin = c.get('origin')
    const receipt = {
      number: receiptNumberOf(view),
      state: receiptStateOf(view, await refundsOf(payment), paidBackOfDue(payment)),
      url: origin === null ? null : origin + receiptPath(id),
      orderId: payment.orderId,
      description: link?.description ?? null,
    }
    return c.json({ success: true as const, receipt }, 200)
  })
}

/** Serves `/pay/{id}/receipt`, a permanent receipt to print or to keep. */
export function receiptPageRoute(app: OpenAPIHono<Env>, { db, read, viewer, refundsOf, hasMail, limits }: Deps) {
  app.get('/pay/:paymentId/receipt', limits.unauthenticated, compressPage, async (c) => {
    const language = languageOf(c)
    const id = z.uuid().safeParse(c.req.param('paymentId'))
    const payment = id.success ? await read.byIdOrUndefined(id.data.toLowerCase() as PaymentId) : undefined
    setHeader(c, 'Vary', 'Accept-Language')
    setHeader(c, 'Referrer-Policy', 'no-referrer')
    setHeader(c, 'Cache-Control', 'no-store')
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    if (!payment) {
      setHeader(c, 'Content-Security-Policy', receiptPolicy(null))
      return c.html(renderNoPayment(language), 404)
    }
    const branding = await db.read((tx) => loadBranding(tx, payment.merchantId))
    const shop = { name: payment.merchantName, branding }
    setHeader(c, 'Content-Security-Policy', receiptPolicy(shop))
    const origin = c.get('origin')
    const refunds = await refundsOf(payment)
    const view = viewer.public(payment, origin)
    const state = receiptStateOf(view, refunds, paidBackOfDue(payment))
    return c.html(renderReceipt(view, { state, language, shop, origin, refunds, hasMail }), 200)
  })
}
