import { z } from '@hono/zod-openapi'
import { paymentId, time } from '../../access/operation/common-schemas.ts'
import { deliveryStates } from '../../payment/store/outbox-store.ts'
import { eventType, typesMax } from '../endpoints/endpoint-schemas.ts'
import { eventTypeNames, testEvent } from '../event-types.ts'

const pageDefault = 20

const pageMax = 100

/** Row numbers that a JavaScript number holds exactly. */
const cursorPattern = /^\d{1,15}$/

const ok = { success: z.literal(true) }

const anyEventType = z.enum([...eventTypeNames, testEvent.type])

const deliveryId = z.string().regex(cursorPattern, 'deliveryId is the id of a delivery')

export const deliveryParam = z.object({
  deliveryId: deliveryId.openapi({ param: { name: 'deliveryId', in: 'path' }, example: '1042' }),
})

const attemptUrl = z
  .string()
  .nullable()
  .openapi({ description: 'Where it was sent. Null for deliveries of older versions, which stored no URL.' })

const Delivery = z
  .object({
    id: z.string().openapi({ example: '1042' }),
    messageId: z.string().openapi({ description: 'The `webhook-id` of all attempts.' }),
    type: z.string(),
    paymentId: z.uuid().nullable(),
    sequence: z.int(),
    endpointId: z.string().nullable().openapi({ description: "Null: the payment's callbackUrl." }),
    url: z.string().openapi({ description: 'Where the next attempt goes, or the last one went.' }),
    state: z.enum(deliveryStates),
    attemptCount: z.int(),
    attempts: z
      .array(
        z.object({
          number: z.int(),
          url: attemptUrl,
          sentAt: time,
          tookMs: z.int(),
          code: z.int().nullable(),
          error: z.string().nullable().openapi({ description: 'Why there was no response.' }),
          answer: z.string().openapi({ description: 'The first 2 kB of the response. Treat it as untrusted text.' }),
        }),
      )
      .openapi({ description: 'The newest ten.' }),
    nextAttemptAt: time.nullable(),
    createdAt: time,
    doneAt: time.nullable(),
  })
  .openapi('WebhookDelivery')

export type DeliveryView = z.infer<typeof Delivery>

const next = z.string().nullable().openapi({ description: 'The cursor of the next page; null at the end.' })

export const deliveryResponse = z.object({ ...ok, delivery: Delivery })

/** How much of a body is shown: more than any event has, whose largest part is the payment's metadata. */
export const bodyShownMax = 65_536

const headers = z.record(z.string(), z.string())

export const requestResponse = z.object({
  ...ok,
  request: z
    .object({
      method: z.literal('POST'),
      url: z.string().openapi({ description: 'Where the next attempt goes.' }),
      headers: headers.openapi({ description: 'Headers of every attempt.' }),
      body: z.string().openapi({
        description: `The exact body of every attempt, at most its first ${bodyShownMax} characters.`,
      }),
      bodyBytes: z.int(),
      isCut: z.boolean(),
      attempts: z
        .array(
          z.object({
            number: z.int(),
            url: attemptUrl,
            sentAt: time,
            headers: headers.nullable().openapi({
              description:
                'Time and signature of this attempt. Null: nothing was posted, or by an older version that stored no signatures.',
            }),
          }),
        )
        .openapi({ description: 'The newest ten.' }),
    })
    .openapi('WebhookRequest'),
})

export const deliveriesResponse = z.object({
  ...ok,
  deliveries: z.array(Delivery),
  next: next.openapi({
    description:
      'The `before` of the next page; null at the end. A page is short if few of 10,000 examined deliveries passed the filters.',
  }),
})

const limit = z.coerce
  .number('limit must be a whole number')
  .int('limit must be a whole number')
  .min(1)
  .max(pageMax, `limit must be at most ${pageMax}`)
  .default(pageDefault)

const isTest = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')
  .openapi({ description: 'Test payments instead of live ones.' })

const cursor = z.string().regex(cursorPattern, 'must be the value of `next` in an earlier response').transform(Number)

export const deliveriesQuery = z.object({
  endpointId: z.string().max(100).optional(),
  paymentId: paymentId.optional(),
  type: anyEventType.optional(),
  state: z.enum(deliveryStates).optional(),
  since: z.iso
    .datetime({ offset: true, error: 'since must be an ISO 8601 date-time' })
    .optional()
    .openapi({ description: 'Only deliveries that were created at this time or later.' }),
  isTest,
  before: cursor.optional(),
  limit,
})

export const Replay = z
  .strictObject({
    since: z.iso.datetime({ offset: true, error: 'since must be an ISO 8601 date-time' }),
    until: z.iso.datetime({ offset: true, error: 'until must be an ISO 8601 date-time' }).optional(),
    endpointId: z.string().max(100).optional().openapi({
      description:
        'Events for this endpoint, including those from before it existed. Default: all deliveries of the merchant.',
    }),
    isTest: z.boolean().default(false),
    only: z.enum(['undelivered']).optional().openapi({ description: 'Leave out delivered events.' }),
    after: cursor.optional(),
  })
  .openapi('WebhookReplay')

export const replayResponse = z.object({
  ...ok,
  replayed: z.int(),
  next: next.openapi({ description: 'Not null: more remain; pass it as `after` in the next call.' }),
})

export const eventsQuery = z.object({
  after: cursor.default(0),
  types: z
    .string()
    .max(1_000)
    .transform((text) => text.split(','))
    .pipe(z.array(eventType).max(typesMax))
    .optional()
    .openapi({ type: 'string', description: 'Separated by commas. Default: all.' }),
  isTest,
  limit,
})

export const eventsResponse = z.object({
  ...ok,
  events: z.array(
    z
      .object({
        id: z.string().openapi({ description: 'The `webhook-id`.' }),
        cursor: z.string().openapi({ description: 'Pass it as `after` to continue after this event.' }),
        type: z.string(),
        timestamp: time,
        data: z.record(z.string(), z.unknown()).openapi({ description: 'The payment at the time of the event.' }),
      })
      .openapi('FeedEvent'),
  ),
  next: z.string().openapi({ description: 'Store it, and pass it as `after` in the next call.' }),
  hasMore: z.boolean(),
})
