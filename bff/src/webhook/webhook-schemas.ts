import { z } from '@hono/zod-openapi'
import * as schemas from '../http/common-schemas.ts'
import { eventTypeNames, tryEvent } from './event-types.ts'

const urlMax = 2_048
const descriptionMax = 200
const typesMax = 50
const pageDefault = 20
const pageMax = 100
/** Numbers of rows, which JavaScript holds exactly. */
const cursorPattern = /^\d{1,15}$/

const time = z.iso.datetime()
const ok = { success: z.literal(true) }

const eventType = z.enum(eventTypeNames, { error: `must be one of ${eventTypeNames.join(', ')}` })
const anyEventType = z.enum([...eventTypeNames, tryEvent.type])

const eventTypeList = z
  .array(eventType)
  .min(1, 'eventTypes must name at least one, or be null for all')
  .max(typesMax)
  .transform((types) => [...new Set(types)])
  .nullable()
  .openapi({ description: 'Null: all.', example: ['payment.completed', 'payment.failed'] })

const url = z.string('url is required').max(urlMax, `url must be at most ${urlMax} characters`)
const description = z.string().trim().max(descriptionMax, `description must be at most ${descriptionMax} characters`)

export const NewEndpoint = z
  .strictObject({
    url: url.openapi({ example: 'https://shop.example/webhooks' }),
    description: description.default(''),
    eventTypes: eventTypeList.default(null),
    isTest: z.boolean().default(false).openapi({ description: 'Tell it of test payments, instead of live ones.' }),
  })
  .openapi('NewWebhookEndpoint')

export const EndpointChanges = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    eventTypes: eventTypeList.optional(),
    enabled: z.boolean('enabled must be true or false').optional(),
  })
  .openapi('WebhookEndpointChanges')

export const Rotation = z
  .strictObject({
    immediately: z.boolean().default(false).openapi({ description: 'The old secret stops to sign now, not in a day.' }),
  })
  .openapi('SecretRotation')

const Endpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    eventTypes: z.array(z.string()).nullable(),
    isTest: z.boolean(),
    enabled: z.boolean(),
    disabledReason: z.enum(['merchant', 'gone', 'failing']).nullable().openapi({
      description: '`gone`: it answered 410. `failing`: five days of nothing but failures.',
    }),
    disabledAt: time.nullable(),
    failingSince: time.nullable().openapi({ description: 'The first failure since the last success.' }),
    previousSecretExpiresAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('WebhookEndpoint')

export type EndpointView = z.infer<typeof Endpoint>

const secret = z.string().openapi({ description: 'Shown once.', example: 'whsec_…' })

export const endpointAnswer = z.object({ ...ok, endpoint: Endpoint })
export const endpointSecretAnswer = z.object({ ...ok, endpoint: Endpoint, secret })
export const endpointsAnswer = z.object({ ...ok, endpoints: z.array(Endpoint) })
export const secretAnswer = z.object({ ...ok, secret, previousSecretExpiresAt: time.nullable() })
export const removedAnswer = z.object({ ...ok, message: z.string() })

export const endpointParam = z.object({
  endpointId: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'endpointId is the id of an endpoint')
    .openapi({ param: { name: 'endpointId', in: 'path' }, example: 'we_7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' }),
})

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
    state: z.enum(['due', 'delivered', 'failed']),
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

export const deliveryAnswer = z.object({ ...ok, delivery: Delivery })
export const deliveriesAnswer = z.object({ ...ok, deliveries: z.array(Delivery), next })

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
  paymentId: schemas.paymentId.optional(),
  type: anyEventType.optional(),
  state: z.enum(['due', 'delivered', 'failed']).optional(),
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

export const replayAnswer = z.object({
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

export const eventsAnswer = z.object({
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

export const conflict = {
  409: {
    description: 'Not while it is so; `message` says what to do.',
    content: { 'application/json': { schema: schemas.errorBody } },
  },
}
