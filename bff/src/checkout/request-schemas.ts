import { z } from '@hono/zod-openapi'
import { paymentId, textMax } from '../http/common-schemas.ts'

const urlMax = 2_048

const metadataKeysMax = 50

const metadataBytesMax = 8_192

/** Keys that would change the prototype of an object that a client copies them to. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

export const forbiddenKeyOf = (keys: readonly string[]): string | undefined =>
  keys.find((key) => forbiddenKeys.has(key))

export const amount = z
  .union([z.number(), z.string()], { error: 'amount is required: a decimal number or decimal text' })
  .openapi({ description: 'In whole tokens, exact: at most the decimals of the token.', example: '25.00' })

export const networkName = z
  .string('network is required: the shortName of a network')
  .min(1, 'network is required: the shortName of a network')
  .max(40)

const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

const plainMetadata = z
  .record(z.string(), plainValue, { error: 'metadata must be an object of strings, numbers, booleans or null' })
  .refine((value) => Object.keys(value).length <= metadataKeysMax, `metadata must have at most ${metadataKeysMax} keys`)
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= metadataBytesMax,
    `metadata must be at most ${metadataBytesMax} bytes`,
  )

/** Forbidden keys are refused before the record is parsed, because parsing drops `__proto__` without an error. */
export const metadata = z.preprocess((value, context) => {
  const forbidden = forbiddenKeyOf(Object.keys(Object(value)))
  if (forbidden !== undefined) {
    context.addIssue({ code: 'custom', message: `metadata must not have the key ${forbidden}` })
  }
  return value
}, plainMetadata)

export const orderId = z.string().min(1).max(textMax, `orderId must be at most ${textMax} characters`)

export const customerEmail = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email('customerEmail must be an e-mail address').max(254))

export const callbackUrl = z
  .url({ protocol: /^https?$/, error: 'callbackUrl must be an http or https URL' })
  .max(urlMax, `callbackUrl must be at most ${urlMax} characters`)

export const agentOwner = z.string().min(1).max(textMax, `agentOwner must be at most ${textMax} characters`)

/** The payment that the new payment replaces. A value that is not a payment id is ignored, as unknown fields are. */
export const existingPaymentId = z
  .unknown()
  .transform((value) => paymentId.safeParse(value).data)
  .optional()
  .openapi({ type: 'string', format: 'uuid' })

/** `include=qr` adds the modules of the QR codes, which cost more to make than the rest of the response. */
export const includeQuery = z.object({ include: z.enum(['qr']).optional() })

/** A client secret that is wrong, or is not text, counts as none. */
export const givenClientSecret = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : undefined))
  .optional()
  .openapi({ type: 'string', description: 'What create returned; may stand in place of a key.' })
