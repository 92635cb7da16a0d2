import { z } from '@hono/zod-openapi'
import { contractCall, contractShape } from '../checkout/contract/contract-schemas.ts'
import { bridgeShape } from '../checkout/cross-chain/cross-chain-schemas.ts'
import { outcomes, paymentStates, statuses } from '../payment/payment.ts'

/** Longest order id and agent owner that is stored. */
const textMax = 100
const urlMax = 2_048
const metadataKeysMax = 50
const metadataBytesMax = 8_192

/** Keys that would change an object's nature where a client copies them. */
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

/** Forbidden keys are looked for before the record is read, which would drop `__proto__` and say nothing. */
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

export const agentId = z
  .string()
  .max(textMax, `agentId must be at most ${textMax} characters`)
  .regex(/^[A-Za-z0-9_-]+$/, 'agentId contains invalid characters')

export const agentOwner = z.string().min(1).max(textMax, `agentOwner must be at most ${textMax} characters`)

export const paymentId = z.uuid('Invalid paymentId: must be a valid UUID').toLowerCase()

/** The payment that this one takes the place of; what is none is ignored, as every unknown field is. */
export const existingPaymentId = z
  .unknown()
  .transform((value) => paymentId.safeParse(value).data)
  .optional()
  .openapi({ type: 'string', format: 'uuid' })

export const paymentIdBody = z.object({ paymentId })

export const paymentIdParam = z.object({
  paymentId: paymentId.openapi({
    param: { name: 'paymentId', in: 'path' },
    example: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11',
  }),
})

/** `include=qr` adds the modules of the QR codes, which cost more to make than the rest of the answer. */
export const includeQuery = z.object({ include: z.enum(['qr']).optional() })

/** A picture that this service has. */
export const logo = z.url().nullable().openapi({ example: 'https://pay.example.com/logos/networks/base.svg' })

const amountText = z.string().openapi({ example: '25.00' })
const time = z.iso.datetime()

export const statusShape = {
  id: z.uuid(),
  paymentId: z.uuid(),
  status: z.enum(statuses),
  outcome: z.enum(outcomes),
  isFinal: z.boolean(),
  paymentState: z.enum(paymentStates),
  settlement: z.object({
    state: z.enum(['', 'pending', 'settling', 'delayed', 'settled', 'failed']),
    message: z.string(),
  }),
  amount: amountText,
  amountReceived: amountText.nullable(),
  currency: z.string(),
  network: z.string(),
  transactionHash: z.string().nullable(),
  depositTxHash: z.string().nullable(),
  sweepTxHash: z.string().nullable(),
  confirmations: z.int(),
  requiredConfirmations: z.int(),
  detectedAt: time.nullable(),
  confirmedAt: time.nullable(),
  expiresAt: time.nullable(),
  bridgeStatus: z.string().nullable(),
  isTest: z.boolean(),
  sandbox: z.boolean(),
}

const refund = z.object({
  state: z.enum(['address_needed', 'waiting', 'sending', 'delayed', 'failed', 'held', 'refunded']),
  message: z.string(),
  address: z.string().nullable(),
  amount: amountText,
  amountRefunded: amountText,
  txHash: z.string().nullable(),
})

const stray = z
  .object({
    network: z.string(),
    networkName: z.string(),
    currency: z.string(),
    tokenAddress: z.string().nullable().openapi({ description: "Null: the chain's own coin." }),
    amount: amountText.openapi({ description: 'What lies there and was not sent back.' }),
    amountRefunded: amountText,
    transactionHash: z.string().nullable(),
    refund: z.object({
      state: z.enum(['address_needed', 'sending', 'delayed', 'failed', 'too_small', 'refunded']),
      message: z.string(),
      address: z.string().nullable(),
      txHash: z.string().nullable(),
    }),
  })
  .openapi('Stray')

const depositShape = {
  ...statusShape,
  amountDetected: amountText.nullable(),
  amountRemaining: amountText.nullable(),
  excessOwed: amountText.nullable(),
  refund: refund.nullable(),
  strays: z.array(stray).openapi({
    description:
      "Money at the deposit address that was not asked for: another token, the chain's coin, another network.",
  }),
  depositAddress: z.string().nullable(),
  depositMethod: z.string(),
  sweptAt: time.nullable(),
  isExpired: z.boolean(),
}

const qrCode = z.object({ size: z.int(), modules: z.base64() })

export const publicPaymentShape = {
  ...depositShape,
  ...z.object(contractShape).partial().shape,
  ...z.object(bridgeShape).partial().shape,
  contractCall: contractCall.optional(),
  paymentMode: z.string(),
  createdAt: time.nullable(),
  explorer: z.object({ address: z.string().nullable(), transaction: z.string().nullable() }),
  paymentUri: z.string().nullable(),
  Token: z.object({
    id: z.uuid(),
    symbol: z.string(),
    name: z.string(),
    contractAddress: z.string(),
    decimals: z.int(),
    logo,
    isStablecoin: z.boolean(),
  }),
  Network: z.object({
    id: z.uuid(),
    name: z.string(),
    shortName: z.string(),
    chainId: z.int().nullable(),
    type: z.string().nullable(),
    isTestnet: z.boolean(),
    explorerUrl: z.string().nullable(),
    logo,
  }),
  Merchant: z.object({ businessName: z.string() }),
  qr: z.object({ address: qrCode, uri: qrCode.nullable() }).optional(),
}

const publicPayment = z.object(publicPaymentShape).openapi('PublicPayment')

export const clientSecret = z.string().openapi({
  description:
    'Proves that its holder made the payment or was sent its link: needed to name the refund address, or to cancel, without API key and secret. No other answer holds it.',
  example: 'cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E',
})

/** A wrong one is as if there were none; so is what is no text. */
export const givenClientSecret = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : undefined))
  .optional()
  .openapi({ type: 'string', description: 'What create returned; may stand in place of a key.' })

export const createdPaymentShape = {
  ...publicPaymentShape,
  clientSecret: clientSecret.optional().openapi({
    description: 'Absent only where a public key repeats a create by its order id or its body, which can be guessed.',
  }),
}

export const statusAnswer = z.object({ success: z.literal(true), payment: z.object(statusShape) })
export const depositStatusAnswer = z.object({ success: z.literal(true), payment: z.object(depositShape) })
export const publicAnswer = z.object({ success: z.literal(true), serverTime: time, payment: publicPayment })
export const createdAnswer = z.object({
  success: z.literal(true),
  requestId: z.string(),
  serverTime: time,
  payment: z.object(createdPaymentShape).openapi('CreatedPayment'),
})

export const contractCreatedAnswer = z.object({
  success: z.literal(true),
  requestId: z.string(),
  amount: z.number(),
  serverTime: time,
  payment: z
    .object({ ...createdPaymentShape, ...contractShape, contractCall: contractCall.optional() })
    .openapi('ContractPayment'),
})

export const processedAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  isAlreadyCompleted: z.boolean(),
  payment: z.object(statusShape),
})

export const errorAnswer = z
  .object({ success: z.literal(false), error: z.string(), message: z.string(), code: z.string() })
  .openapi('Error')

/** What clients of /payments/process read beside the rest. */
export const unprocessedAnswer = errorAnswer
  .extend({ isAlreadyCompleted: z.boolean().optional(), verificationAttempts: z.int().optional() })
  .openapi('ProcessError')

export const errorContent = (description: string) => ({
  description,
  content: { 'application/json': { schema: errorAnswer } },
})

/** What a handler may refuse with. The answers of the middleware are added by `addMiddlewareResponses`. */
export const errorResponses = {
  400: errorContent('A field breaks a rule; `message` names both.'),
  403: errorContent("Beyond the agent's limits, or not allowed with this kind of key."),
  404: errorContent('There is no such thing, or it is not yours.'),
}
