import { createHash } from 'node:crypto'
import { z } from 'zod'
import { storedAmount, storedTerms } from '../../stored-terms.ts'
import { isSolanaAddress } from './solana-address.ts'

const address = z.string().refine(isSolanaAddress)

const termsSchema = z.strictObject({
  /** The cluster's, so that no terms are of two clusters. */
  genesisHash: z.string().min(1),
  mint: address,
  amount: storedAmount(),
  least: storedAmount(),
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(10_000),
  deadlineSeconds: z.int().min(0),
  /** 32 random bytes in hex: every deposit has an address of its own. */
  salt: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The terms of a deposit on Solana, which its address is derived from. Amounts are base units, wallets are owners in base58. */
export type SolanaTerms = z.infer<typeof termsSchema>

export const { format: formatSolanaTerms, parse: parseSolanaTerms } = storedTerms('deposit', termsSchema)

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
