import { z } from 'zod'
import { storedAmount, storedTerms } from '../../stored-terms.ts'

const hex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)) as z.ZodType<`0x${string}`>

const termsSchema = z.strictObject({
  chainId: z.int().positive(),
  token: hex(20),
  /** Amount due, in base units of `token`. Money beyond it is excess and can be refunded. */
  amount: storedAmount(),
  /** Minimum accepted as full payment: `amount` minus the merchant's tolerance, at least 1. */
  least: storedAmount(),
  merchant: hex(20),
  platform: hex(20),
  feeBps: z.int().min(0).max(10_000),
  /** Unix seconds; afterwards, a deposit that has received less than `least` can be refunded whole. */
  deadlineSeconds: z.int().min(0),
  /** The only account that may refund. */
  operator: hex(20),
  /** 32 random bytes that make this payment's address unique. */
  salt: hex(32),
  factory: hex(20),
})

/** The inputs of a deposit address: its terms, and the factory that deploys it. */
export type StoredTerms = z.infer<typeof termsSchema>

/**
 * The terms of a deposit. The address is their hash (`bff/contracts/src/Terms.sol`), so all of them are needed to sweep
 * or refund a deposit.
 */
export type DepositTerms = Omit<StoredTerms, 'factory'>

export const { format: formatDepositTerms, parse: parseDepositTerms } = storedTerms('deposit', termsSchema)
