import { setHeader } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { publicResponse, statusResponse } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import type { ReadPayment } from './payment-reader.ts'
import type { PaymentViewer } from './payment-view.ts'
import type { PublicResponses } from './public-response.ts'

const statusRoute = (path: '/payments/{paymentId}/status' | '/payments/status/{paymentId}') =>
  defineOperation({
    method: 'get',
    path,
    access: 'key',
    role: 'viewer',
    scope: 'agent',
    operationId: path === '/payments/status/{paymentId}' ? 'readStatusOfPayment' : 'readPaymentStatus',
    tags: ['payments'],
    summary: 'The status of a payment',
    request: { params: paymentIdParam },
    responses: { 200: jsonContent('the payment', statusResponse), ...errorResponses },
  })

const publicRoute = defineOperation({
  method: 'get',
  path: '/payments/public/{paymentId}',
  access: 'open',
  operationId: 'readPublicPayment',
  tags: ['payments'],
  summary: 'The public view of a payment, for anybody who knows its id',
  request: { params: paymentIdParam, query: fields.includeQuery },
  responses: {
    200: jsonContent('the payment', publicResponse),
    304: { description: 'unchanged since the ETag that was sent' },
    ...errorResponses,
  },
})

type Deps = {
  read: ReadPayment
  viewer: PaymentViewer
  publicBody: PublicResponses
}

export function readPaymentRoutes(api: Operations, { read, viewer, publicBody }: Deps) {
  // One handler on two paths; neither is preferred.
  for (const path of ['/payments/{paymentId}/status', '/payments/status/{paymentId}'] as const) {
    api.serve(statusRoute(path), async (c) => {
      const id = c.req.valid('param').paymentId as PaymentId
      const payment = await read.own(c.get('caller'), id, 404)
      return c.json({ success: true as const, payment: viewer.status(payment) }, 200)
    })
  }

  api.serve(publicRoute, async (c) => {
    const payment = await read.byId(c.req.valid('param').paymentId as PaymentId)
    const isWithQr = c.req.valid('query').include === 'qr'
    const etag = viewer.etag(payment)
    setHeader(c, 'ETag', etag)
    // A shared cache must revalidate every time, because a stale response would show the wrong amount.
    setHeader(c, 'Cache-Control', 'no-cache')
    if (c.req.header('if-none-match') === etag) return c.body(null, 304)
    return c.json(await publicBody(payment, c.get('origin'), isWithQr), 200)
  })
}
