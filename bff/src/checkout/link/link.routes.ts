import { setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { createFieldFilter } from '../../access/context/seen-by.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Runtime } from '../../core/runtime.ts'
import { qrCode } from '../qr.ts'
import { includeQuery } from '../wire/request-schemas.ts'
import type { Link, LinkId } from './link.ts'
import * as schemas from './link-schemas.ts'
import { linkView } from './link-view.ts'
import type { Links } from './manage-links.ts'

const path = '/links'
const onePath = `${path}/{linkId}` as const

export const createLinkOperation = defineOperation({
  method: 'post',
  path,
  access: 'secret',
  secretFor: 'Payment links are',
  role: 'staff',
  passkey: 'ifCallback',
  audit: 'link.made',
  scope: 'agent',
  idempotency: 'orderId',
  operationId: 'createLink',
  tags: ['links'],
  summary: 'Create a payment link, whose customers choose network and token',
  description:
    'A repeat with the same `Idempotency-Key`, or without a key for the same `orderId` until that link ends, returns the first response.',
  request: { body: jsonBody(schemas.NewLinkBody) },
  responses: { 200: jsonContent('created, or repeated', schemas.linkResponse), ...errorResponses },
})

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'secret',
  secretFor: 'Payment links are',
  role: 'viewer',
  operationId: 'listLinks',
  tags: ['links'],
  summary: "The merchant's payment links, newest first",
  request: { query: schemas.linksQuery },
  responses: { 200: jsonContent('a page of them', schemas.linksResponse), ...errorResponses },
})

export const readLinkOperation = defineOperation({
  method: 'get',
  path: onePath,
  access: 'secret',
  secretFor: 'Payment links are',
  // `staff`, because the id is the right to pay the link.
  role: 'staff',
  scope: 'agent',
  operationId: 'readLink',
  tags: ['links'],
  summary: 'One payment link, with how often it was opened and paid',
  request: { params: schemas.linkParam, query: includeQuery },
  responses: { 200: jsonContent('the link', schemas.linkWithQrResponse), ...errorResponses },
})

const endRoute = defineOperation({
  method: 'post',
  path: `${onePath}/end`,
  access: 'secret',
  secretFor: 'Payment links are',
  role: 'staff',
  audit: 'link.ended',
  operationId: 'endLink',
  tags: ['links'],
  summary: 'End a payment link; no further payments are created',
  request: { params: schemas.linkParam },
  responses: { 200: jsonContent('ended', schemas.linkResponse), ...errorResponses },
})

const forReader = createFieldFilter(schemas.PaymentLink.shape)

type Deps = { links: Links; runtime: Runtime }

export function linkRoutes(api: Operations, { links, runtime }: Deps) {
  const success = true as const

  api.serve(createLinkOperation, async (c) => {
    const body = c.req.valid('json')
    const key = await requestKey(c, body.orderId)
    const viewOf = (link: Link) => ({ success, link: linkView(link, runtime.nowMs(), c.get('origin')) })
    const { response, isReplay } = await links.create({ caller: c.get('caller'), key }, body, viewOf)
    const { id, amount, price, priceCurrency } = response.link
    c.set('change', { subject: id, after: amount ?? `${price} ${priceCurrency}`, isUnchanged: isReplay })
    if (isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    return c.json(response, 200)
  })

  api.serve(listRoute, async (c) => {
    const caller = c.get('caller')
    const { before = Number.MAX_SAFE_INTEGER, limit, isTest = caller.isTest, sales: hasSales } = c.req.valid('query')
    const found = await links.list({ merchantId: caller.merchantId, isTest, hasSales, before, limit })
    const next = found.length === limit ? String(found.at(-1)?.number) : null
    const nowMs = runtime.nowMs()
    return c.json(
      { success, links: found.map((link) => forReader(caller, linkView(link, nowMs, c.get('origin')))), next },
      200,
    )
  })

  api.serve(readLinkOperation, async (c) => {
    const caller = c.get('caller')
    const link = await links.own(caller, c.req.valid('param').linkId as LinkId)
    const shown = forReader(caller, linkView(link, runtime.nowMs(), c.get('origin')))
    const isWithQr = c.req.valid('query').include === 'qr' && shown.url !== null
    return c.json({ success, link: isWithQr ? { ...shown, qr: qrCode(shown.url ?? '') } : shown }, 200)
  })

  api.serve(endRoute, async (c) => {
    const { linkId } = c.req.valid('param')
    const { endedAtMs } = await links.own(c.get('caller'), linkId as LinkId)
    const link = await links.end(c.get('caller'), linkId as LinkId)
    c.set('change', { subject: linkId, isUnchanged: endedAtMs !== null })
    return c.json({ success, link: linkView(link, runtime.nowMs(), c.get('origin')) }, 200)
  })
}
