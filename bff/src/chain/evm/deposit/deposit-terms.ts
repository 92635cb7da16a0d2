import { z } from 'zod'
import { storedAmount, storedTerms } from '../../stored-terms.ts'

const hex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)) as z.ZodType<`0x${string}`>

const termsSchema = z.strictObject({
  chainId: z.int().positive(),
  token: hex(20),
  /** Due, in base units of `token`. What arrives beyond it is excess and can be refunded. */
  amount: storedAmount(),
  /** Least that is accepted as full payment: `amount` less the merchant's tolerance, at least 1. */
  least: storedAmount(),
  merchant: hex(20),
  platform: hex(20),
  feeBps: z.int().min(0).max(10_000),
  /** Unix seconds; after it, a deposit that has received less than `least` can be refunded whole. */
  deadlineSeconds: z.int().min(0),
  /** The only account that may refund. */
  operator: hex(20),
  /** 32 random bytes: makes this payment's address its own. */
  salt: hex(32),
  factory: hex(20),
})

/** Everything that a deposit address is made of: the terms, and the factory that deploys it. */
export type StoredTerms = z.infer<typeof termsSchema>

/**
 * What a deposit address stands for: the address is a hash of these terms (`bff/contracts/src/Terms.sol`), so to sweep or
 * refund a deposit all of them must be kept.
 */
export type DepositTerms = Omit<StoredTerms, 'factory'>

export const { format: formatDepositTerms, parse: parseDepositTerms } = storedTerms('deposit', termsSchema)
