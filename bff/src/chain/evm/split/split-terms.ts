import { encodeAbiParameters, type Hex, parseAbiParameters, stringToBytes } from 'viem'
import { z } from 'zod'
import { storedAmount, storedTerms } from '../../stored-terms.ts'
import { keccak256 } from '../keccak.ts'

const wholeBps = 10_000

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<Hex>

const termsSchema = z.strictObject({
  chainId: z.int().positive(),
  splitter: address,
  token: address,
  /** Base units of `token`; the contract accepts any uint256. */
  amount: storedAmount(78),
  /** The payment's id on chain. */
  paymentId: z.string(),
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(wholeBps),
  /** Unix seconds; the last second in which the service's calls may pay. Another client's plain call has no deadline. */
  deadlineSeconds: z.int().min(0),
})

/**
 * A contract payment's terms. All fields but the deadline are in the hash that the splitter marks as paid
 * (`bff/contracts/src/PaymentSplitter.sol`).
 */
export type SplitTerms = z.infer<typeof termsSchema>

export const { format: formatSplitTerms, parse: parseSplitTerms } = storedTerms('split', termsSchema)

/** The contracts' struct `PaymentDetails`. Percentages are basis points and add up to 10,000. */
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

/**
 * The merchant comes first: the first recipient gets the rounding remainder. The platform's wallet is set even if its share is
 * zero, because existing clients refuse a call whose second recipient is the zero address.
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

const hashedTerms = parseAbiParameters(
  'uint256 chainId, address splitter, address token, uint256 amount, bytes32 idHash, address, address, address, uint256, uint256, uint256',
)

/** The hash that the splitter marks as paid and emits, over chain, contract and every field. Lower case. */
export function splitHash(chainId: number, splitter: Hex, details: SplitDetails): Hex {
  return keccak256(
    encodeAbiParameters(hashedTerms, [
      BigInt(chainId),
      splitter,
      details.token,
      details.amount,
      keccak256(stringToBytes(details.paymentId)),
      details.recipient1,
      details.recipient2,
      details.recipient3,
      details.recipient1Percentage,
      details.recipient2Percentage,
      details.recipient3Percentage,
    ]),
  )
}

export const termsHash = (terms: SplitTerms): Hex => splitHash(terms.chainId, terms.splitter, splitDetails(terms))
