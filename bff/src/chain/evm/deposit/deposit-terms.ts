import { z } from 'zod'
import type { DepositTerms } from './forwarder-address.ts'

/** Everything that a deposit address is made of: the terms, and the factory that deploys it. */
export type StoredTerms = DepositTerms & { factory: `0x${string}` }

const hex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)) as z.ZodType<`0x${string}`>
const amount = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt)

const termsSchema: z.ZodType<StoredTerms> = z.strictObject({
  chainId: z.int().positive(),
  token: hex(20),
  amount,
  least: amount,
  merchant: hex(20),
  platform: hex(20),
  feeBps: z.int().min(0).max(10_000),
  deadlineSeconds: z.int().min(0),
  operator: hex(20),
  salt: hex(32),
  factory: hex(20),
})

/** Terms to the JSON that is stored with a payment; amounts are decimal text of base units. */
export function formatDepositTerms(terms: StoredTerms): string {
  const { chainId, token, amount, least, merchant, platform, feeBps, deadlineSeconds, operator, salt, factory } = terms
  return JSON.stringify({
    chainId,
    token,
    amount: String(amount),
    least: String(least),
    merchant,
    platform,
    feeBps,
    deadlineSeconds,
    operator,
    salt,
    factory,
  })
}

/** @throws {Error} naming the field when the text is not what `formatDepositTerms` wrote: the row is corrupt. */
export function parseDepositTerms(text: string): StoredTerms {
  const parsed = termsSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new Error(
    `Stored deposit terms are corrupt: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
  )
}
