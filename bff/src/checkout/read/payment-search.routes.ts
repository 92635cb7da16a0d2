import { z } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import type { IsStillGood } from '../../access/callers/authenticate.ts'
import { defineOperation } from '../../access/context/operation.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { createStreamSlots } from '../../access/limits/stream-slots.ts'
import {
  amountText,
  errorBody,
  errorResponses,
  jsonContent,
  paymentIdParam,
  time,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { sharesOf } from '../../chain/shares.ts'
import type { Log } from '../../core/log.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { Db } from '../../db/db.ts'
import { attentions } from '../../payment/attention.ts'
import { outcomes, type PaymentId, statuses } from '../../payment/payment.ts'
import { followPayment } from './follow-payment.ts'
import { type HistoryEntry, readHistory } from './payment-history.ts'
import type { ReadPayment } from './payment-reader.ts'
import { type PaymentSearch, viewFound } from './payment-search.ts'
import { kinds } from './payment-search-store.ts'

const pageDefault = 50
const pageMax = 100

const foundPayment = z
  .object({
    paymentId: z.uuid(),
    orderId: z.string().nullable(),
    customerEmail: z.string().nullable(),
    paymentMode: z.string(),
    isTest: z.boolean(),
    network: z.string(),
    currency: z.string(),
    amount: amountText,
    amountReceived: amountText.openapi({ description: 'Confirmed, including late money.' }),
    amountRefunded: amountText,
    amountRemaining: amountText.openapi({
      description: 'The unpaid part of `amount`, counting money confirmed in time.',
    }),
    status: z.enum(statuses),
    outcome: z.enum(outcomes),
    attention: z.enum(attentions).nullable().openapi({ description: 'What a person has to do; null: nothing.' }),
    depositAddress: z.string().nullable(),
    transactionHash: z.string().nullable(),
    createdAt: time,
    expiresAt: time,
  })
  .openapi('FoundPayment')

export const searchResponse = z.object({
  success: z.literal(true),
  payments: z.array(foundPayment),
  next: z.string().nullable().openapi({ description: 'The `after` of the next page; null at the end.' }),
  isCut: z.boolean().openapi({
    description:
      'The page is short because few of 10,000 examined payments passed the filters and the search. More may follow after `next`.',
  }),
})

const moment = (name: string) =>
  z.iso.datetime({ offset: true, error: `${name} must be a time such as 2026-11-22T00:00:00Z` })

const amount = (name: string) =>
  z.string().regex(/^\d{1,10}(\.\d{1,18})?$/, `${name} must be a plain decimal number such as 25.00`)

const searchRoute = defineOperation({
  method: 'get',
  path: '/payments',
  access: 'secret',
  secretFor: 'Payments are listed',
  role: 'viewer',
  operationId: 'searchPayments',
  tags: ['payments'],
  summary: 'Payments by filters, newest first',
  description:
    'The cost does not depend on the number of payments. `search` matches the beginning of an order id or an e-mail address, or a whole payment id, address (paid to or from) or transaction id in either direction. Results are newest first and paged like every list.',
  request: {
    query: z.object({
      status: z.enum([...new Set([...statuses, ...outcomes])]).optional(),
      network: z.string().max(40).optional(),
      currency: z.string().max(10).optional(),
      attention: z.enum(attentions).optional(),
      kind: z.enum(kinds).optional().openapi({
        description:
          '`partly_paid`: open, and a part has arrived. `overpaid`: more than the amount arrived in time. `late`: some arrived too late. `refunded`: some went back. `to_do`: with an `attention`.',
      }),
      from: moment('from').optional().openapi({ description: 'Created at this time or later.' }),
      until: moment('until').optional().openapi({ description: 'Created before this time.' }),
      amountMin: amount('amountMin').optional(),
      amountMax: amount('amountMax').optional(),
      search: z.string().max(200, 'search must be at most 200 characters').optional(),
      after: z
        .string()
        .regex(/^\d{1,15}\.\d{1,15}$/, 'after must be the value of `next` in an earlier response')
        .optional(),
      limit: z.coerce
        .number('limit must be a whole number')
        .int('limit must be a whole number')
        .min(1)
        .max(pageMax, `limit must be at most ${pageMax}`)
        .default(pageDefault),
    }),
  },
  responses: { 200: jsonContent('one page', searchResponse), ...errorResponses },
})

const streamRoute = defineOperation({
  method: 'get',
  path: '/payments/events',
  access: 'secret',
  secretFor: 'Payments are listed',
  role: 'viewer',
  operationId: 'followPayments',
  tags: ['payments'],
  summary: 'A stream that says when the list of payments has changed',
  responses: {
    200: {
      description:
        'Server-sent events named `payments`, the first at once, later ones at most once a second. Read the list again after each.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...errorResponses,
    503: jsonContent('Too many streams are open; poll instead.', errorBody),
  },
})

export const historyResponse = z.object({
  success: z.literal(true),
  shares: z.object({ merchant: amountText, fee: amountText }).openapi({
    description: 'What merchant and platform get of a paid payment, as the contracts share it; zero until it is paid.',
  }),
  history: z.array(
    z
      .looseObject({
        at: time,
        kind: z.enum(['event', 'transfer', 'webhook', 'transaction', 'refund request']),
        says: z.string(),
        sentence: z
          .object({
            code: z.string().openapi({ description: 'More codes may be added: where one is unknown, show `says`.' }),
            values: z.array(z.string()),
          })
          .openapi({ description: '`says` as a code with its values, for a sentence in another language.' }),
      })
      .openapi('HistoryEntry'),
  ),
})

const historyRoute = defineOperation({
  method: 'get',
  path: '/payments/{paymentId}/history',
  access: 'secret',
  secretFor: 'Payments are listed',
  role: 'viewer',
  operationId: 'readPaymentHistory',
  tags: ['payments'],
  summary: 'The history of a payment, oldest first',
  description:
    'Transfers, events, attempts of webhooks, our transactions and refund requests; of each kind the newest five hundred.',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('the history', historyResponse), ...errorResponses },
})

type Deps = {
  db: Db
  read: ReadPayment
  paymentSearch: PaymentSearch
  limits: RateLimits
  log: Log
  /** Ends all streams when the service stops; clients then connect again. */
  stopping: AbortSignal
  isStillGood: IsStillGood
}

/** For the merchant only: a public key is rejected on all of these routes. */
export function paymentSearchRoutes(api: Operations, deps: Deps) {
  const { db, read, paymentSearch, limits, log, stopping, isStillGood } = deps
  const slots = createStreamSlots(limits)
  const success = true as const

  api.serve(searchRoute, async (c) => {
    const { from, until, after, ...query } = c.req.valid('query')
    const [createdAtMs = 0, number = 0] = (after ?? '').split('.').map(Number)
    const found = await paymentSearch.search(c.get('caller'), {
      ...query,
      ...(from && { fromMs: Date.parse(from) }),
      ...(until && { untilMs: Date.parse(until) }),
      ...(after && { after: { createdAtMs, number } }),
    })
    const next = found.next && `${found.next.createdAtMs}.${found.next.number}`
    return c.json({ success, payments: found.payments.map(viewFound), next, isCut: found.isCut }, 200)
  })

  api.serve(streamRoute, async (c) => {
    const caller = c.get('caller')
    // A HEAD request reads no stream, and must not hold a slot.
    if (c.req.method === 'HEAD') return c.body(null, 200)
    const release = slots.take(c, caller.merchantId)
    const readSnapshot = async () => {
      if (!(await isStillGood(caller))) return null
      const etag = await paymentSearch.newestChange(caller)
      return { etag, data: JSON.stringify({ newest: etag }), isOver: false }
    }
    // The list is polled once a second, which bounds the cost of a busy shop's stream. Only the end of a session
    // wakes it at once.
    const { session } = caller
    const listen = (wake: () => void) =>
      db.listen((notified) => {
        if (notified === 'any' || (session && (notified.has(session.id) || notified.has(session.personId)))) wake()
      })
    // Without this header nginx buffers the events.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      try {
        await followPayment(stream, { event: 'payments', readSnapshot, listen }, '', stopping)
      } catch (error) {
        log.error({ err: error, merchantId: caller.merchantId }, 'Streaming a list of payments failed')
      } finally {
        release()
      }
    })
  })

  api.serve(historyRoute, async (c) => {
    const payment = await read.own(c.get('caller'), c.req.valid('param').paymentId as PaymentId, 404)
    const history: HistoryEntry[] = await readHistory(db, payment)
    const { merchant, fee } = sharesOf(payment)
    const text = (units: BaseUnits) => formatAmount(units, payment.tokenDecimals)
    const shares = { merchant: text(merchant), fee: text(fee) }
    return c.json({ success, shares, history: history as z.infer<typeof historyResponse>['history'] }, 200)
  })
}
