import type { ClientSecrets } from '../../access/callers/client-secret.ts'
import type { Caller } from '../../access/context/caller.ts'
import { setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { createFieldFilter } from '../../access/context/seen-by.ts'
import {
  errorContent,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import { stillUnconfirmed } from '../../chain/refusal.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import { type MerchantRefund, type MerchantRefundId, merchantRefundStatuses } from '../../payment/merchant-refund.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import type { ContractSettings } from '../contract/contract-payments.routes.ts'
import { qrCode } from '../qr.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import * as schemas from '../wire/merchant-refund-schemas.ts'
import { includeQuery } from '../wire/request-schemas.ts'
import type { MerchantRefundViewer, ShownRefund } from './merchant-refund-view.ts'
import { secretIdOf, withTransfers } from './merchant-refund-view.ts'
import type { MerchantRefunds } from './merchant-refunds.ts'
import type { RefundPrompts } from './refund-prompts.ts'

const secretFor = 'Refunds are'

const conflict = { 409: errorContent('the refund is not possible, or no longer: `code` says why') }

const requestMerchantRefundOperation = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/refunds',
  access: 'secret',
  secretFor,
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.requested',
  idempotency: 'key',
  operationId: 'requestMerchantRefund',
  tags: ['refunds'],
  summary: 'Refund a paid payment, in whole or in part, from your own wallet',
  description:
    'The service holds no money of a paid payment: the refund is a payment in the other direction. The customer names an address on the page of `pageUrl`, or `address` names it. Pay it from a wallet of yours, by `call` or `paymentUri`; the service verifies it like every payment. All refunds of a payment never exceed what you received. A repeat with the same `Idempotency-Key` returns the first refund.',
  request: { params: paymentIdParam, body: jsonBody(schemas.MerchantRefundRequest) },
  responses: { 200: jsonContent('requested, or repeated', schemas.refundResponse), ...errorResponses, ...conflict },
})

const ofPaymentOperation = defineOperation({
  method: 'get',
  path: '/payments/{paymentId}/refunds',
  access: 'secret',
  secretFor,
  role: 'viewer',
  operationId: 'listRefundsOfPayment',
  tags: ['refunds'],
  summary: 'The refunds of a payment, and the sum that can still be refunded',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('oldest first', schemas.paymentRefundsResponse), ...errorResponses },
})

const listOperation = defineOperation({
  method: 'get',
  path: '/refunds',
  access: 'secret',
  secretFor,
  role: 'viewer',
  operationId: 'listMerchantRefunds',
  tags: ['refunds'],
  summary: "The refunds that the merchant's wallet pays, newest first",
  request: { query: schemas.refundsQuery },
  responses: { 200: jsonContent('a page of them', schemas.refundsResponse), ...errorResponses },
})

const readOperation = defineOperation({
  method: 'get',
  path: '/refunds/{refundId}',
  access: 'secret',
  secretFor,
  role: 'viewer',
  operationId: 'readMerchantRefund',
  tags: ['refunds'],
  summary: 'One refund, with its transactions',
  request: { params: schemas.refundParam, query: includeQuery },
  responses: { 200: jsonContent('the refund', schemas.refundResponse), ...errorResponses },
})

const publicOperation = defineOperation({
  method: 'get',
  path: '/refunds/public/{refundId}',
  access: 'open',
  operationId: 'readPublicMerchantRefund',
  tags: ['refunds'],
  summary: 'A refund as its customer reads it, for anybody who knows its id',
  request: { params: schemas.refundParam },
  responses: { 200: jsonContent('the refund', schemas.publicRefundResponse), ...errorResponses },
})

const nameAddressOperation = defineOperation({
  method: 'post',
  path: '/refunds/{refundId}/address',
  access: 'clientSecret',
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.addressNamed',
  operationId: 'nameMerchantRefundAddress',
  tags: ['refunds'],
  summary: "Name the customer's address of a refund, once",
  description:
    'By the customer, with the `clientSecret` in the fragment of `pageUrl`, or by the merchant. An address that is named cannot be changed: cancel the refund and make another.',
  request: { params: schemas.refundParam, body: jsonBody(schemas.RefundAddress) },
  responses: { 200: jsonContent('named, or repeated', schemas.publicRefundResponse), ...errorResponses, ...conflict },
})

const cancelOperation = defineOperation({
  method: 'post',
  path: '/refunds/{refundId}/cancel',
  access: 'secret',
  secretFor,
  role: 'staff',
  audit: 'merchantRefund.cancelled',
  operationId: 'cancelMerchantRefund',
  tags: ['refunds'],
  summary: 'Cancel a refund of which nothing was seen on chain',
  request: { params: schemas.refundParam },
  responses: { 200: jsonContent('cancelled, or repeated', schemas.refundResponse), ...errorResponses, ...conflict },
})

const verifyOperation = defineOperation({
  method: 'post',
  path: '/refunds/{refundId}/verify',
  access: 'secret',
  secretFor,
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.verified',
  operationId: 'verifyMerchantRefund',
  tags: ['refunds'],
  summary: 'Name the transaction that pays a refund',
  description:
    'Needed only where another wallet than the settlement wallet (or, with `ownAddressesPay`, an address of it) paid by a plain transfer, such as an exchange: other transactions are found automatically. The response does not wait for confirmations.',
  request: { params: schemas.refundParam, body: jsonBody(schemas.VerifyRefund) },
  responses: { 200: jsonContent('the transaction counts', schemas.refundResponse), ...errorResponses, ...conflict },
})

const forReader = createFieldFilter(schemas.refundShape)

const openStatuses = merchantRefundStatuses.filter((status) => status !== 'paid' && status !== 'cancelled')

type Deps = Pick<ContractSettings, 'chains' | 'stopping'> & {
  db: Db
  networks: Networks
  read: ReadPayment
  merchantRefunds: MerchantRefunds
  refundPrompts: Pick<RefundPrompts, 'endOver'>
  refundViewer: MerchantRefundViewer
  clientSecrets: ClientSecrets
}

export function merchantRefundRoutes(api: Operations, deps: Deps) {
  const { db, networks, chains, stopping, read, merchantRefunds, refundPrompts, refundViewer, clientSecrets } = deps
  const success = true as const

  const viewOf = (caller: Caller, shown: ShownRefund, origin: string | null) =>
    forReader(caller, refundViewer.merchant(shown, caller, origin))
  const shownOf = (refund: MerchantRefund) => db.read((tx) => withTransfers(tx, refund))

  api.serve(requestMerchantRefundOperation, async (c) => {
    const caller = c.get('caller')
    const id = c.req.valid('param').paymentId as PaymentId
    const { refund, isReplay } = await merchantRefunds.request(caller, id, c.req.valid('json'), await requestKey(c))
    const whole = refundViewer.merchant(await shownOf(refund), caller, c.get('origin'))
    const view = forReader(caller, { ...whole })
    // The passkey that signed the request also covers the link.
    if (!isReplay) view.pageUrl = whole.pageUrl
    c.set('change', { subject: refund.id, after: `${view.amount} ${view.currency}`, isUnchanged: isReplay })
    if (isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json({ success, refund: view }, 200)
  })

  api.serve(ofPaymentOperation, async (c) => {
    const caller = c.get('caller')
    const payment: Payment = await read.own(caller, c.req.valid('param').paymentId as PaymentId, 404)
    const { refunds, refundable } = await merchantRefunds.ofPayment(payment)
    return c.json({ success, refunds: refunds.map((shown) => viewOf(caller, shown, c.get('origin'))), refundable }, 200)
  })

  api.serve(listOperation, async (c) => {
    const caller = c.get('caller')
    const { status, before = Number.MAX_SAFE_INTEGER, limit, isTest = caller.isTest } = c.req.valid('query')
    const statuses = status === 'all' ? merchantRefundStatuses : status === 'open' ? openStatuses : [status]
    const list = () => merchantRefunds.list(caller, { isTest, statuses, before, limit })
    const sent = (await list()).filter(({ prompt }) => prompt !== null && prompt.txId !== null)
    // A wallet's transaction that was reverted is not shown as sent.
    await Promise.all(sent.map(({ refund }) => refundPrompts.endOver(refund, stopping)))
    const found = await list()
    const next = found.length === limit ? String(found.at(-1)?.number) : null
    return c.json({ success, refunds: found.map((shown) => viewOf(caller, shown, c.get('origin'))), next }, 200)
  })

  api.serve(publicOperation, async (c) => {
    const { payment, ...shown } = await merchantRefunds.byId(c.req.valid('param').refundId)
    setHeader(c, 'Cache-Control', 'no-cache')
    return c.json({ success, refund: refundViewer.public(shown, payment.merchantName) }, 200)
  })

  api.serve(readOperation, async (c) => {
    const caller = c.get('caller')
    const { refund } = await merchantRefunds.own(caller, c.req.valid('param').refundId)
    // Ends a prompt whose wallet can no longer send: it must not keep the merchant from paying.
    await refundPrompts.endOver(refund, stopping)
    const view = viewOf(caller, await shownOf(refund), c.get('origin'))
    const isWithQr = c.req.valid('query').include === 'qr' && view.paymentUri !== null
    return c.json({ success, refund: isWithQr ? { ...view, qr: qrCode(view.paymentUri ?? '') } : view }, 200)
  })

  api.serve(nameAddressOperation, async (c) => {
    const id = c.req.valid('param').refundId as MerchantRefundId
    const { address, clientSecret } = c.req.valid('json')
    const requester = {
      caller: c.get('callerOrNull'),
      hasClientSecret: clientSecrets.isSecretOf(secretIdOf({ id }), clientSecret),
    }
    const refund = await merchantRefunds.nameAddress(requester, id, address)
    c.set('change', { subject: id, after: refund.place?.address ?? null })
    const { payment, ...shown } = await merchantRefunds.byId(id)
    return c.json({ success, refund: refundViewer.public(shown, payment.merchantName) }, 200)
  })

  api.serve(cancelOperation, async (c) => {
    const caller = c.get('caller')
    const id = c.req.valid('param').refundId as MerchantRefundId
    await refundPrompts.endOver((await merchantRefunds.own(caller, id)).refund, stopping)
    const { refund, isUnchanged } = await merchantRefunds.cancel(caller, id)
    c.set('change', { subject: refund.id, isUnchanged })
    return c.json({ success, refund: viewOf(caller, await shownOf(refund), c.get('origin')) }, 200)
  })

  api.serve(verifyOperation, async (c) => {
    const caller = c.get('caller')
    const { refund } = await merchantRefunds.own(caller, c.req.valid('param').refundId)
    c.set('change', { subject: refund.id })
    const network = findNetwork(networks, refund.network)
    if (refund.isTest) throw new PaymentError('TEST_PAYMENT', 'This refund is a test: no transaction pays it.')
    if (!network) throw stillUnconfirmed(`${refund.network} is no longer configured`)
    if (!refund.place) throw new PaymentError('REFUND_NEEDS_ADDRESS', 'Nobody has named the address of this refund.')
    const family = familyOf(network)
    const txId = family.parseTxId(c.req.valid('json').transactionHash)
    if (txId === undefined) throw new ValidationError(`transactionHash must be ${family.txIdFormat}`)
    const verify = chains.get(refund.network)?.verifyRefund
    if (!verify) throw stillUnconfirmed(`${network.name} cannot be read now`)
    const verified = await verify({ id: refund.id, txId }, stopping)
    c.set('change', { subject: refund.id, after: txId })
    return c.json({ success, refund: viewOf(caller, await shownOf(verified), c.get('origin')) }, 200)
  })
}
