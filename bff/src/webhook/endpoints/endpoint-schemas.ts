import { z } from '@hono/zod-openapi'
import { errorContent, time } from '../../access/operation/common-schemas.ts'
import { eventTypeNames } from '../event-types.ts'
import { disabledReasons } from './endpoint-store.ts'

const urlMax = 2_048

const descriptionMax = 200

export const typesMax = 50

const ok = { success: z.literal(true) }

export const eventType = z.enum(eventTypeNames, { error: `must be one of ${eventTypeNames.join(', ')}` })

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
    isTest: z.boolean().default(false).openapi({ description: 'Send events of test payments instead of live ones.' }),
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
    immediately: z
      .boolean()
      .default(false)
      .openapi({ description: 'The old secret stops signing at once instead of after a day.' }),
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
    disabledReason: z.enum(disabledReasons).nullable().openapi({
      description: '`gone`: the endpoint responded 410. `failing`: every attempt of five days failed.',
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

export const endpointResponse = z.object({ ...ok, endpoint: Endpoint })

export const endpointSecretResponse = z.object({ ...ok, endpoint: Endpoint, secret })

export const endpointsResponse = z.object({ ...ok, endpoints: z.array(Endpoint) })

export const secretResponse = z.object({ ...ok, secret, previousSecretExpiresAt: time.nullable() })

export const removedResponse = z.object({ ...ok, message: z.string() })

export const endpointParam = z.object({
  endpointId: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'endpointId is the id of an endpoint')
    .openapi({ param: { name: 'endpointId', in: 'path' }, example: 'we_7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' }),
})

export const conflict = { 409: errorContent('Refused in the current state; `message` says what to do.') }
