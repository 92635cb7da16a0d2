import { z } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import { defineOperation } from '../../access/context/operation.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { createStreamSlots } from '../../access/limits/stream-slots.ts'
import { errorBody, errorResponses, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import * as fields from '../wire/request-schemas.ts'
import { followPayment } from './follow-payment.ts'
import type { ReadPayment } from './payment-reader.ts'
import type { PaymentViewer } from './payment-view.ts'
import type { PublicResponses } from './public-response.ts'

const route = defineOperation({
  method: 'get',
  path: '/payments/public/{paymentId}/events',
  access: 'open',
  operationId: 'followPayment',
  tags: ['payments'],
  summary: 'The same as a stream of events, one for each change',
  request: { params: paymentIdParam, query: fields.includeQuery },
  responses: {
    200: {
      description:
        'Server-sent events named `payment`; their data is the response of `/payments/public/{paymentId}`, the first at once. The stream ends when nothing more will change.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    204: { description: 'nothing has changed since the event that the client names by Last-Event-ID, nor will it' },
    ...errorResponses,
    503: jsonContent('Too many streams are open; poll instead.', errorBody),
  },
})

type Deps = {
  db: Pick<Db, 'listen'>
  read: ReadPayment
  viewer: PaymentViewer
  publicBody: PublicResponses
  limits: RateLimits
  log: Log
  /** Ends all streams when the service stops; clients then connect again. */
  stopping: AbortSignal
}

export function paymentEventsRoute(api: Operations, deps: Deps) {
  const { db, read, viewer, publicBody, limits, log, stopping } = deps
  const slots = createStreamSlots(limits)

  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const isWithQr = c.req.valid('query').include === 'qr'
    const known = c.req.header('last-event-id') ?? ''
    const payment = await read.byId(id)
    if (isOver(payment, viewer) && viewer.etag(payment) === known) return c.body(null, 204)
    // A HEAD request reads no stream, and must not hold a slot.
    if (c.req.method === 'HEAD') return c.body(null, 200)
    const release = slots.take(c, payment.merchantId)
    const origin = c.get('origin')
    const readSnapshot = async () => {
      const now = await read.byId(id)
      const data = JSON.stringify(await publicBody(now, origin, isWithQr))
      return { etag: viewer.etag(now), data, isOver: isOver(now, viewer) }
    }
    const listen = (wake: () => void) =>
      db.listen((notified) => {
        if (notified === 'any' || notified.has(id)) wake()
      })
    // Without this header nginx buffers the events.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      try {
        await followPayment(stream, { event: 'payment', readSnapshot, listen }, known, stopping)
      } catch (error) {
        log.error({ err: error, paymentId: id }, 'Streaming a payment failed')
      } finally {
        release()
      }
    })
  })
}

/** Whether no further events will follow. A later refund is visible only by reading the payment. */
function isOver(payment: Payment, viewer: PaymentViewer): boolean {
  const { isFinal, settlement } = viewer.status(payment)
  return isFinal && settlement.state !== 'settling' && settlement.state !== 'delayed'
}
