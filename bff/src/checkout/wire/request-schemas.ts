import { z } from '@hono/zod-openapi'
import { agentId, paymentId, textMax } from '../../access/operation/common-schemas.ts'
import { symbolPattern } from '../../core/families.ts'

const urlMax = 2_048

const metadataKeysMax = 50

const metadataBytesMax = 8_192

/** Keys that would change the prototype of an object that a client copies them to. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

export const forbiddenKeyOf = (keys: readonly string[]): string | undefined =>
  keys.find((key) => forbiddenKeys.has(key))

const amount = z.union([z.number(), z.string()], { error: 'amount is required: a decimal number or decimal text' })

const price = z.union([z.number(), z.string()], { error: 'price must be a decimal number or decimal text' })

/** The money of a create. `askedPriceOf` checks which fields are required. */
export const money = {
  amount: amount.optional().openapi({
    description: 'In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.',
    example: '25.00',
  }),
  price: price.optional().openapi({
    description:
      'In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`.',
  }),
  priceCurrency: z
    .string('priceCurrency must be an ISO 4217 code such as EUR')
    .max(textMax)
    .optional()
    .openapi({ description: 'ISO 4217 code of the currency of `price`, such as `EUR`.' }),
}

export const currency = z
  .string('currency is required: the symbol of a token, such as USDC or USDT')
  .regex(symbolPattern, 'currency must be the symbol of a token, such as USDC or USDT')
  .openapi({ description: 'Symbol of a token that the network has, such as USDC or USDT.', example: 'USDC' })

export const networkName = z
  .string('network is required: the shortName of a network')
  .min(1, 'network is required: the shortName of a network')
  .max(40, 'network must have at most 40 characters')

const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

const plainMetadata = z
  .record(z.string(), plainValue, { error: 'metadata must be an object of strings, numbers, booleans or null' })
  .refine((value) => Object.keys(value).length <= metadataKeysMax, `metadata must have at most ${metadataKeysMax} keys`)
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= metadataBytesMax,
    `metadata must be at most ${metadataBytesMax} bytes`,
  )

/** Forbidden keys are refused before the record is parsed, because parsing drops `__proto__` without an error. */
const metadata = z.preprocess((value, context) => {
  const forbidden = forbiddenKeyOf(Object.keys(Object(value)))
  if (forbidden !== undefined) {
    context.addIssue({ code: 'custom', message: `metadata must not have the key ${forbidden}` })
  }
  return value
}, plainMetadata)

const orderId = z.string().min(1).max(textMax, `orderId must be at most ${textMax} characters`)

const customerEmail = z.string().trim().toLowerCase().pipe(z.email('customerEmail must be an e-mail address').max(254))

const callbackUrl = z
  .url({ protocol: /^https?$/, error: 'callbackUrl must be an http or https URL' })
  .max(urlMax, `callbackUrl must be at most ${urlMax} characters`)

/** Shown as a link, so only web pages are allowed; a page without TLS only on localhost, for development. */
const returnUrl = z
  .url('returnUrl must be an https URL')
  .max(urlMax, `returnUrl must be at most ${urlMax} characters`)
  .refine(isReturnUrl, 'returnUrl must be an https URL without user and password; http only for localhost')
  .openapi({
    description:
      'Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.',
    example: 'https://shop.example/orders/1042',
  })

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

function isReturnUrl(text: string): boolean {
  // Without the slashes, a page at https resolves the URL against its own address.
  if (!/^https?:\/\/[^\s\\\p{Cc}]*$/iu.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname))
}

const agentOwner = z.string().min(1).max(textMax, `agentOwner must be at most ${textMax} characters`)

/** Optional fields that a create may attach to a payment of any mode. */
export const attachments = {
  customerEmail: customerEmail.optional(),
  callbackUrl: callbackUrl.optional(),
  returnUrl: returnUrl.optional(),
  orderId: orderId.optional(),
  metadata: metadata.optional(),
}

/** The agent that creates a payment; both or neither. */
export const agent = { agentId: agentId.optional(), agentOwner: agentOwner.optional() }

/** The payment that the new payment replaces. A value that is not a payment id is ignored, as unknown fields are. */
export const existingPaymentId = z
  .unknown()
  .transform((value) => paymentId.safeParse(value).data)
  .optional()
  .openapi({ type: 'string', format: 'uuid' })

/** `include=qr` adds the modules of the QR codes, which cost more to make than the rest of the response. */
export const includeQuery = z.object({ include: z.enum(['qr']).optional() })

/** A client secret that is wrong or not text counts as absent. */
export const givenClientSecret = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : undefined))
  .optional()
  .openapi({ type: 'string', description: 'What create returned; may stand in place of a key.' })
