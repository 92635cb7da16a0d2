import { z } from '@hono/zod-openapi'
import { type ClientSecrets, paymentLink } from '../../access/callers/client-secret.ts'
import type { Caller } from '../../access/context/caller.ts'
import { defineOperation } from '../../access/context/operation.ts'
import {
  clientSecretReaders,
  createFieldFilter,
  isSeenBy,
  merchantReaders,
  seenBy,
} from '../../access/context/seen-by.ts'
import { limitedJson } from '../../access/http/body-limit.ts'
import {
  amountText,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentId,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import { PublicMerchantRefund } from '../wire/merchant-refund-schemas.ts'
import { clientSecret as clientSecretText, paymentStatus, recordShape } from '../wire/payment-schemas.ts'
import type { ReadPayment } from './payment-reader.ts'
import type { PaymentViewer } from './payment-view.ts'

const recordFields = {
  ...recordShape,
  refunds: seenBy(
    merchantReaders,
    z
      .array(PublicMerchantRefund)
      .optional()
      .openapi({ description: 'Refunds that your own wallet pays, oldest first.' }),
  ),
  clientSecret: seenBy(clientSecretReaders, clientSecretText.optional()),
  paymentLink: seenBy(
    clientSecretReaders,
    z.string().nullable().optional().openapi({
      description:
        "The page of the payment with its client secret. Null where the service's `publicUrl` is not set, and in the dashboard, where it is shown after the passkey.",
    }),
  ),
}

export const mayReadLink = (caller: Caller): boolean => isSeenBy(caller, recordFields.paymentLink)

const forReader = createFieldFilter(recordFields)

const ownRecordResponse = z.object({
  success: z.literal(true),
  payment: z.object(recordFields).openapi('PaymentRecord'),
})

export const readPaymentOperation = defineOperation({
  method: 'get',
  path: '/payments/{paymentId}',
  access: 'key',
  role: 'viewer',
  scope: 'agent',
  operationId: 'readPayment',
  tags: ['payments'],
  summary: 'One payment of the merchant, with every field',
  description:
    'For API key and secret with `clientSecret` and the link of its page. With a public key, the fields of `/payments/public/{paymentId}`, and nothing that was attached to the payment.',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('the payment', ownRecordResponse), ...errorResponses },
})

const verifyQrResponse = z.object({
  success: z.boolean(),
  verified: z.boolean(),
  error: z.string().nullable(),
  message: z.string(),
  payment: z.union([paymentStatus, z.null()]),
  onChainData: z.object({ transactionHash: z.string(), from: z.string().nullable() }).nullable(),
})

const verifyRoute = defineOperation({
  method: 'post',
  path: '/payments/verify-qr',
  access: 'key',
  role: 'none',
  scope: 'agent',
  operationId: 'verifyQrCode',
  tags: ['payments'],
  summary: 'Whether the payment of a scanned code is paid',
  request: {
    body: jsonBody(z.object({ paymentId }).openapi('VerifyQrCode')),
  },
  responses: { 200: jsonContent('read `verified`', verifyQrResponse) },
})

const balanceResponse = z.object({
  success: z.literal(true),
  balance: amountText,
  isComplete: z.boolean(),
  currency: z.string(),
})

const balanceRoute = defineOperation({
  method: 'get',
  path: '/deposits/balance/{paymentId}',
  access: 'key',
  role: 'viewer',
  scope: 'agent',
  operationId: 'readDepositBalance',
  tags: ['payments'],
  summary: 'The amount detected so far',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('whole tokens, confirmed or not', balanceResponse), ...errorResponses },
})

type Deps = {
  read: ReadPayment
  viewer: PaymentViewer
  clientSecrets: ClientSecrets
  refundsOf: (payment: Payment) => Promise<z.infer<typeof PublicMerchantRefund>[]>
  /** The address at which customers reach this service; null if not configured. */
  publicUrl: string | null
}

export function paymentRecordRoutes(api: Operations, deps: Deps) {
  const { read, viewer, clientSecrets, publicUrl, refundsOf } = deps

  api.serve(readPaymentOperation, async (c) => {
    // Version 1 of the API returns 500 for an unknown id.
    const caller = c.get('caller')
    const payment = await read.own(caller, c.req.valid('param').paymentId as PaymentId, 500)
    const call = viewer.walletRequests(payment)
    const record = Object.assign(viewer.merchant(payment, c.get('origin')), call)
    const clientSecret = clientSecrets.of(payment.id)
    const link = publicUrl === null ? null : paymentLink(publicUrl, payment.id, clientSecret)
    // A public key has never received these fields.
    const secrets = caller.kind === 'public' ? {} : { clientSecret, paymentLink: link }
    const refunds = caller.kind === 'public' ? {} : { refunds: await refundsOf(payment) }
    return c.json({ success: true as const, payment: forReader(caller, Object.assign(record, secrets, refunds)) }, 200)
  })

  // The status is always 200; `verified` holds the result.
  api.serveUnvalidated(verifyRoute, async (c) => {
    const refuse = (error: string, message: string) =>
      c.json({ success: false, verified: false, error, message, payment: null, onChainData: null }, 200)
    const sent = z.object({ paymentId }).safeParse(await limitedJson(c))
    if (!sent.success) return refuse('Validation failed', 'Invalid paymentId: must be a valid UUID')
    c.set('paymentId', sent.data.paymentId)
    const payment = await read.find(c.get('caller'), sent.data.paymentId as PaymentId)
    if (!payment) return refuse('Payment not found', `There is no payment ${sent.data.paymentId}.`)
    const verified = outcomeOf(payment) === 'paid'
    const message = verified ? 'The payment is paid.' : 'The payment is not paid (yet).'
    const onChainData =
      payment.lastTxId === null
        ? null
        : { transactionHash: payment.lastTxId, from: (await read.payerOf(payment)) ?? null }
    const error = verified ? null : 'Not paid'
    return c.json({ success: true, verified, error, message, payment: viewer.status(payment), onChainData }, 200)
  })

  api.serve(balanceRoute, async (c) => {
    const payment = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    const { balance, isComplete } = viewer.balance(payment)
    return c.json({ success: true as const, balance, isComplete, currency: payment.currency }, 200)
  })
}
