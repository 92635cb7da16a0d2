import { z } from '@hono/zod-openapi'
import { errorCodes } from '../../core/error-codes.ts'
import { refusals } from './refusals.ts'

/** The longest text that is stored as an order id, an agent or its owner. */
export const textMax = 100

export const paymentId = z.uuid('Invalid paymentId: must be a valid UUID').toLowerCase()

export const paymentIdParam = z.object({
  paymentId: paymentId.openapi({
    param: { name: 'paymentId', in: 'path' },
    example: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11',
  }),
})

export const agentId = z
  .string()
  .max(textMax, `agentId must be at most ${textMax} characters`)
  .regex(/^[A-Za-z0-9_-]+$/, 'agentId contains invalid characters')

/** A picture served by this service. */
export const logo = z.url().nullable().openapi({ example: 'https://pay.example.com/logos/networks/base.svg' })

/** Whole tokens, with at least two decimals. */
export const amountText = z.string().openapi({ example: '25.00' })

export const time = z.iso.datetime()

const code = z.string().openapi({
  description: 'For programs; new ones may be added. `docs/errors.md` says what to do for each.',
  'x-extensible-enum': Object.keys(errorCodes),
})

export const errorBody = z
  .object({ success: z.literal(false), error: z.string(), message: z.string(), code })
  .openapi('Error')

/** A route's response, as the OpenAPI document declares it. */
export const jsonContent = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
})

/** The body that a route requires. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

export const errorContent = (description: string) => jsonContent(description, errorBody)

/** A handler's refusals. `addMiddlewareResponses` adds the middleware's. */
export const errorResponses = {
  400: errorContent(refusals.Invalid.description),
  403: errorContent(refusals.NotAllowed.description),
  404: errorContent(refusals.NotFound.description),
}
