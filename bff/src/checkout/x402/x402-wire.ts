import { z } from '@hono/zod-openapi'
import { ValidationError } from '../../core/errors.ts'

/**
 * Written by hand: the types of `@x402/core` do not narrow `exact`, its schemas use zod 3, which cannot make our OpenAPI document, and
 * `@x402/evm` and `@x402/svm` add 27 MB for four small objects. The stories run the official clients and servers against these shapes.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md
 */
export const x402Version = 2 as const

/** HTTP headers of x402: the requirements, the proof, and the result. Each is base64 of JSON. */
export const x402Headers = {
  required: 'PAYMENT-REQUIRED',
  signature: 'PAYMENT-SIGNATURE',
  response: 'PAYMENT-RESPONSE',
} as const

/**
 * A Solana transaction has up to 1,232 bytes, a smart wallet's signature up to 4,096; the rest repeats the
 * requirements.
 */
const proofCharsMax = 16_384

const resource = z.looseObject({
  url: z.string().max(2_048),
  description: z.string().max(1_000).optional(),
  mimeType: z.string().max(200).optional(),
})

/** One payment option, in scheme `exact`. `amount` is in base units. */
export const requirementsSchema = z
  .looseObject({
    scheme: z.string().max(40),
    network: z.string().max(100).openapi({ description: 'CAIP-2, such as `eip155:8453`.' }),
    asset: z.string().max(100),
    amount: z.string().regex(/^\d{1,78}$/, 'amount must be base units as decimal text'),
    payTo: z.string().max(100),
    maxTimeoutSeconds: z.number().optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi('X402Requirements')

export type GivenRequirements = z.infer<typeof requirementsSchema>

/** The requirements of one of our payments. */
export type Requirements = {
  scheme: 'exact'
  network: string
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Readonly<Record<string, string>>
}

/** The proof that a client sends for a payment. */
export const proofSchema = z
  .looseObject({
    x402Version: z.literal(x402Version, 'x402Version must be 2'),
    accepted: requirementsSchema,
    payload: z.record(z.string(), z.unknown()),
    resource: resource.optional(),
  })
  .openapi('X402Payload')

export type Proof = z.infer<typeof proofSchema>

export type PaymentRequired = {
  x402Version: typeof x402Version
  error: string
  resource: { url: string; description: string; mimeType: string }
  accepts: readonly Requirements[]
}

/** The result of a proof. `transaction` is empty if none was sent. */
export const settlementSchema = z
  .object({
    success: z.boolean(),
    errorReason: z.string().optional(),
    errorMessage: z.string().optional(),
    payer: z.string().optional(),
    transaction: z.string(),
    network: z.string(),
  })
  .openapi('X402Settlement')

export type Settlement = z.infer<typeof settlementSchema>

export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** @throws {ValidationError} when the header is not a proof of version 2. */
export function decodeProof(header: string): Proof {
  const invalid = (rule: string) => new ValidationError(`${x402Headers.signature} ${rule}`, 'INVALID_PAYMENT_SIGNATURE')
  if (header.length > proofCharsMax) throw invalid(`must be at most ${proofCharsMax} characters`)
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw invalid('must be base64 of JSON')
  }
  const parsed = proofSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(`must be an x402 payload: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** EVM addresses are case-insensitive; Solana addresses are not. */
const isSameAddress = (one: string, other: string): boolean =>
  one === other || (/^0x[0-9a-f]{40}$/i.test(one) && one.toLowerCase() === other.toLowerCase())

/** Fields that other servers may omit, because the address identifies the deposit. A given field must match. */
const optionalExtra: ReadonlySet<string> = new Set(['memo'])

/** Whether the given requirements match ours. Fields that bind nothing are not compared. */
export function isSameRequirements(given: GivenRequirements, ours: Requirements): boolean {
  return (
    given.scheme === ours.scheme &&
    given.network === ours.network &&
    isSameAddress(given.asset, ours.asset) &&
    given.amount === ours.amount &&
    isSameAddress(given.payTo, ours.payTo) &&
    Object.entries(ours.extra).every(([name, value]) => {
      const named = given.extra?.[name]
      return named === value || (named === undefined && optionalExtra.has(name))
    })
  )
}
