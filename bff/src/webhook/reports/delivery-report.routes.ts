import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { createEndpoints } from '../endpoints/endpoint.ts'
import { conflict, endpointParam } from '../endpoints/endpoint-schemas.ts'
import { commonHeaders, signedHeaders } from '../outbox/attempt.ts'
import { messageId } from '../send/sign.ts'
import type { createWebhookReports, DeliveryReport } from './delivery-report.ts'
import * as schemas from './delivery-schemas.ts'

const listRoute = defineOperation({
  method: 'get',
  path: '/webhooks/deliveries',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'viewer',
  operationId: 'listDeliveries',
  tags: ['webhooks'],
  summary: 'Deliveries with their receivers and results, newest first',
  request: { query: schemas.deliveriesQuery },
  responses: { 200: jsonContent('one page', schemas.deliveriesResponse), ...errorResponses },
})

const requestRoute = defineOperation({
  method: 'get',
  path: '/webhooks/deliveries/{deliveryId}/request',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'viewer',
  operationId: 'readDeliveryRequest',
  tags: ['webhooks'],
  summary: 'The request of a delivery: headers, body, and the signature of each attempt',
  request: { params: schemas.deliveryParam },
  responses: { 200: jsonContent('the request, without secrets', schemas.requestResponse), ...errorResponses },
})

const redeliverRoute = defineOperation({
  method: 'post',
  path: '/webhooks/deliveries/{deliveryId}/redeliver',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'staff',
  operationId: 'redeliverWebhook',
  tags: ['webhooks'],
  summary: 'Send a delivery again, with the same webhook-id',
  request: { params: schemas.deliveryParam },
  responses: { 200: jsonContent('the delivery is due', schemas.deliveryResponse), ...conflict, ...errorResponses },
})

const replayRoute = defineOperation({
  method: 'post',
  path: '/webhooks/replay',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'staff',
  operationId: 'replayWebhooks',
  tags: ['webhooks'],
  summary: 'Resend all events since a time, at most 500 deliveries per call',
  request: { body: jsonBody(schemas.Replay) },
  responses: { 200: jsonContent('the deliveries are due', schemas.replayResponse), ...conflict, ...errorResponses },
})

const testRoute = defineOperation({
  method: 'post',
  path: '/webhooks/endpoints/{endpointId}/test',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'staff',
  operationId: 'testWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Send a test event to an endpoint',
  request: { params: endpointParam },
  responses: { 200: jsonContent('the delivery is due', schemas.deliveryResponse), ...conflict, ...errorResponses },
})

const feedRoute = defineOperation({
  method: 'get',
  path: '/events',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'viewer',
  operationId: 'listEvents',
  tags: ['webhooks'],
  summary: 'The feed of all events, oldest first, for clients that cannot receive webhooks',
  request: { query: schemas.eventsQuery },
  responses: { 200: jsonContent('one page', schemas.eventsResponse), ...errorResponses },
})

function view({ delivery, attempts }: DeliveryReport): schemas.DeliveryView {
  return {
    id: String(delivery.number),
    messageId: messageId(delivery.paymentId, delivery.sequence, delivery.eventNumber),
    type: delivery.type,
    paymentId: delivery.paymentId,
    sequence: delivery.sequence,
    endpointId: delivery.endpointId,
    url: delivery.url,
    state: delivery.state,
    attemptCount: delivery.attempts,
    attempts: attempts.map(({ sentAtMs, signature, ...attempt }) => ({ ...attempt, sentAt: iso(sentAtMs) })),
    nextAttemptAt: delivery.state === 'due' ? iso(delivery.dueAtMs) : null,
    createdAt: iso(delivery.createdAtMs),
    doneAt: iso(delivery.doneAtMs),
  }
}

function requestView({ delivery, attempts, body }: DeliveryReport & { body: string }) {
  const id = messageId(delivery.paymentId, delivery.sequence, delivery.eventNumber)
  return {
    method: 'POST' as const,
    url: delivery.url,
    headers: commonHeaders(id),
    body: body.slice(0, schemas.bodyShownMax),
    bodyBytes: Buffer.byteLength(body),
    isCut: body.length > schemas.bodyShownMax,
    attempts: attempts.map(({ number, url, sentAtMs, signature }) => ({
      number,
      url,
      sentAt: iso(sentAtMs),
      headers: signature === null ? null : signedHeaders(sentAtMs, signature),
    })),
  }
}

type Deps = {
  reports: ReturnType<typeof createWebhookReports>
  endpoints: ReturnType<typeof createEndpoints>
  runtime: Runtime
}

export function webhookReportRoutes(api: Operations, { reports, endpoints, runtime }: Deps) {
  const success = true as const

  api.serve(listRoute, async (c) => {
    const { endpointId = null, paymentId = null, type = null, state = null, ...query } = c.req.valid('query')
    const { merchantId } = c.get('caller')
    const filter = {
      merchantId,
      isTest: query.isTest,
      endpointId,
      paymentId: paymentId as PaymentId | null,
      type,
      state,
      sinceMs: query.since === undefined ? null : Date.parse(query.since),
    }
    const { reports: found, next } = await reports.list(filter, query.before ?? Number.MAX_SAFE_INTEGER, query.limit)
    return c.json({ success, deliveries: found.map(view), next: next === null ? null : String(next) }, 200)
  })

  api.serve(requestRoute, async (c) => {
    const report = await reports.readRequest(c.get('caller'), Number(c.req.valid('param').deliveryId))
    return c.json({ success, request: requestView(report) }, 200)
  })

  api.serve(redeliverRoute, async (c) => {
    const report = await reports.redeliver(c.get('caller'), Number(c.req.valid('param').deliveryId))
    return c.json({ success, delivery: view(report) }, 200)
  })

  api.serve(replayRoute, async (c) => {
    const { since, until, endpointId = null, isTest, only, after = 0 } = c.req.valid('json')
    const untilMs = until === undefined ? runtime.nowMs() + 1 : Date.parse(until)
    const order = { endpointId, isTest, sinceMs: Date.parse(since), untilMs, after, isAll: only === undefined }
    const { replayed, next } = await reports.replay(c.get('caller'), order)
    return c.json({ success, replayed, next: next === null ? null : String(next) }, 200)
  })

  api.serve(testRoute, async (c) => {
    const caller = c.get('caller')
    const number = await endpoints.sendTest(caller, c.req.valid('param').endpointId)
    return c.json({ success, delivery: view(await reports.read(caller, number)) }, 200)
  })

  api.serve(feedRoute, async (c) => {
    const { after, types = null, isTest, limit } = c.req.valid('query')
    const found = await reports.feed(c.get('caller'), isTest, types, after, limit)
    const events = found.map(({ id, number, body }) => ({ id, cursor: String(number), ...body }))
    const next = events.at(-1)?.cursor ?? String(after)
    return c.json({ success, events, next, hasMore: found.length === limit }, 200)
  })
}
