import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isSolanaAddress } from '../solana-address.ts'

/** The terms of a deposit on Solana, which its address is derived from. Amounts are base units, wallets are owners in base58. */
export type SolanaTerms = {
  /** The cluster's, so that no terms are of two clusters. */
  genesisHash: string
  mint: string
  amount: bigint
  least: bigint
  merchant: string
  platform: string
  feeBps: number
  deadlineSeconds: number
  /** 32 random bytes in hex: every deposit has an address of its own. */
  salt: string
}

const address = z.string().refine(isSolanaAddress)
const amount = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt)

const termsSchema: z.ZodType<SolanaTerms> = z.strictObject({
  genesisHash: z.string().min(1),
  mint: address,
  amount,
  least: amount,
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(10_000),
  deadlineSeconds: z.int().min(0),
  salt: z.string().regex(/^[0-9a-f]{64}$/),
})

/** Terms to the JSON that is stored with a payment. The address is derived from its bytes, so the order of its fields stays. */
export function formatSolanaTerms(terms: SolanaTerms): string {
  const { genesisHash, mint, amount, least, merchant, platform, feeBps, deadlineSeconds, salt } = terms
  return JSON.stringify({
    genesisHash,
    mint,
    amount: String(amount),
    least: String(least),
    merchant,
    platform,
    feeBps,
    deadlineSeconds,
    salt,
  })
}

/** @throws {Error} naming the field when the text is not what `formatSolanaTerms` wrote: the row is corrupt. */
export function parseSolanaTerms(text: string): SolanaTerms {
  const parsed = termsSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new Error(
    `Stored deposit terms are corrupt: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
  )
}

/** Solana's number in SLIP-0044. */
const solanaCoin = 501

/** Levels of 31 bits: 155 bits of the terms' hash, too many for anyone to find other terms with the same. */
const termLevels = 5

/**
 * The path from the seed to the key of a deposit's owner (SLIP-0010, all levels hardened). The path is the hash of the terms, so
 * that the address proves the terms: with other terms in the row another key is derived, and no money moves.
 * @see https://github.com/satoshilabs/slips/blob/master/slip-0010.md
 */
export function derivationPath(terms: string): string {
  const hash = createHash('sha256').update(terms).digest()
  const levels = Array.from({ length: termLevels }, (_, level) => hash.readUInt32BE(4 * level) & 0x7fff_ffff)
  return `m/44'/${solanaCoin}'/${levels.map((index) => `${index}'`).join('/')}`
}
