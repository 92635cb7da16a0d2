import { z } from '@hono/zod-openapi'
import { paymentId, time } from '../../http/common-schemas.ts'
import { eventType, typesMax } from '../endpoints/endpoint-schemas.ts'
import { eventTypeNames, testEvent } from '../event-types.ts'
import { deliveryStates } from './delivery-report-store.ts'

const pageDefault = 20

const pageMax = 100
/** Numbers of rows, which JavaScript holds exactly. */

/** Numbers of rows, which JavaScript holds exactly. */
const cursorPattern = /^\d{1,15}$/

const ok = { success: z.literal(true) }

const anyEventType = z.enum([...eventTypeNames, testEvent.type])

const deliveryId = z.string().regex(cursorPattern, 'deliveryId is the id of a delivery')

export const deliveryParam = z.object({
  deliveryId: deliveryId.openapi({ param: { name: 'deliveryId', in: 'path' }, example: '1042' }),
})

const Delivery = z
  .object({
    id: z.string().openapi({ example: '1042' }),
    messageId: z.string().openapi({ description: 'The `webhook-id` of all its tries.' }),
    type: z.string(),
    paymentId: z.uuid().nullable(),
    sequence: z.int(),
    endpointId: z.string().nullable().openapi({ description: "Null: the payment's callbackUrl." }),
    url: z.string(),
    state: z.enum(deliveryStates),
    attemptCount: z.int(),
    attempts: z
      .array(
        z.object({
          number: z.int(),
          sentAt: time,
          tookMs: z.int(),
          code: z.int().nullable(),
          error: z.string().nullable().openapi({ description: 'Why there was no answer.' }),
          answer: z.string().openapi({ description: 'The first 2 kB of the answer, as text from a stranger.' }),
        }),
      )
      .openapi({ description: 'The newest ten.' }),
    nextAttemptAt: time.nullable(),
    createdAt: time,
    doneAt: time.nullable(),
  })
  .openapi('WebhookDelivery')

export type DeliveryView = z.infer<typeof Delivery>

const next = z.string().nullable().openapi({ description: 'Where to go on; null at the end.' })

export const deliveryResponse = z.object({ ...ok, delivery: Delivery })

export const deliveriesResponse = z.object({ ...ok, deliveries: z.array(Delivery), next })

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
  .openapi({ description: 'Of test payments, instead of live ones.' })

const cursor = z.string().regex(cursorPattern, 'must be what an earlier answer called next').transform(Number)

export const deliveriesQuery = z.object({
  endpointId: z.string().max(100).optional(),
  paymentId: paymentId.optional(),
  type: anyEventType.optional(),
  state: z.enum(deliveryStates).optional(),
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
        'To this endpoint, also what happened before it was there. Without it: all that was owed to anybody.',
    }),
    isTest: z.boolean().default(false),
    only: z.enum(['undelivered']).optional().openapi({ description: 'Leave out what was accepted.' }),
    after: cursor.optional(),
  })
  .openapi('WebhookReplay')

export const replayResponse = z.object({
  ...ok,
  replayed: z.int(),
  next: next.openapi({ description: 'Not null: there is more; call again with it as `after`.' }),
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
        cursor: z.string().openapi({ description: 'Give it as `after` to go on behind this event.' }),
        type: z.string(),
        timestamp: time,
        data: z.record(z.string(), z.unknown()).openapi({ description: 'The payment as it was then.' }),
      })
      .openapi('FeedEvent'),
  ),
  next: z.string().openapi({ description: 'Keep it, and give it as `after` next time.' }),
  hasMore: z.boolean(),
})
