import { z } from 'zod'
import { keccakHex } from '../rpc/keccak.ts'

type Hex = `0x${string}`

/**
 * What a contract payment is paid by. All but the deadline is in the hash that the splitter marks as paid
 * (`bff/contracts/src/PaymentSplitter.sol`). Amounts are base units of `token`.
 */
export type SplitTerms = {
  chainId: number
  splitter: Hex
  token: Hex
  amount: bigint
  /** Text, the payment's id on chain. */
  paymentId: string
  merchant: Hex
  platform: Hex
  feeBps: number
  /** Unix seconds; the last second in which our own calls may pay. Another client's plain call knows no deadline. */
  deadlineSeconds: number
}

/** The struct `PaymentDetails` of the contracts. Percentages are basis points and add up to 10,000. */
export type SplitDetails = {
  token: Hex
  amount: bigint
  paymentId: string
  recipient1: Hex
  recipient2: Hex
  recipient3: Hex
  recipient1Percentage: bigint
  recipient2Percentage: bigint
  recipient3Percentage: bigint
}

const nobody = `0x${'0'.repeat(40)}` as const
const wholeBps = 10_000

/**
 * The merchant is first, because the first recipient gets what the rounding leaves. The platform's wallet is named where its
 * share is nothing, too: existing clients refuse a call whose second recipient is the zero address.
 */
export function splitDetails({ token, amount, paymentId, merchant, platform, feeBps }: SplitTerms): SplitDetails {
  return {
    token,
    amount,
    paymentId,
    recipient1: merchant,
    recipient2: platform,
    recipient3: nobody,
    recipient1Percentage: BigInt(wholeBps - feeBps),
    recipient2Percentage: BigInt(feeBps),
    recipient3Percentage: 0n,
  }
}

/** What the splitter marks as paid and puts on its event: the hash of chain, contract and every field. Lower case. */
export function splitHash(chainId: number, splitter: Hex, details: SplitDetails): Hex {
  const id = keccakHex(Buffer.from(details.paymentId, 'utf8'))
  const words = `${word(chainId)}${addressWord(splitter)}${addressWord(details.token)}${word(details.amount)}${id}${recipientWords(details)}`
  return `0x${keccakHex(Buffer.from(words, 'hex'))}`
}

export const termsHash = (terms: SplitTerms): Hex => splitHash(terms.chainId, terms.splitter, splitDetails(terms))

/** Recipients and their shares, as they stand in the struct. */
export function recipientWords(details: SplitDetails): string {
  return `${addressWord(details.recipient1)}${addressWord(details.recipient2)}${addressWord(details.recipient3)}${word(details.recipient1Percentage)}${word(details.recipient2Percentage)}${word(details.recipient3Percentage)}`
}

export const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')
export const addressWord = (address: Hex): string => address.slice(2).toLowerCase().padStart(64, '0')

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<Hex>

const termsSchema: z.ZodType<SplitTerms> = z.strictObject({
  chainId: z.int().positive(),
  splitter: address,
  token: address,
  amount: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt),
  paymentId: z.string(),
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(wholeBps),
  deadlineSeconds: z.int().min(0),
})

/** Terms to the JSON that is stored with a payment; the amount is decimal text of base units. */
export function formatSplitTerms(terms: SplitTerms): string {
  return JSON.stringify({ ...terms, amount: terms.amount.toString() })
}

/** @throws {Error} naming the field when the text is not what `formatSplitTerms` wrote: the row is corrupt. */
export function parseSplitTerms(text: string): SplitTerms {
  const parsed = termsSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new Error(
    `Stored split terms are corrupt: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
  )
}
