import { createHash } from 'node:crypto'
import { z } from 'zod'
import { storedAmount, storedTerms } from '../../stored-terms.ts'
import { isSolanaAddress } from './solana-address.ts'

const address = z.string().refine(isSolanaAddress)

const termsSchema = z.strictObject({
  /** The cluster's genesis hash: binds the terms to one cluster. */
  genesisHash: z.string().min(1),
  mint: address,
  amount: storedAmount(),
  least: storedAmount(),
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(10_000),
  deadlineSeconds: z.int().min(0),
  /** 32 random bytes in hex: every deposit has its own address. */
  salt: z.string().regex(/^[0-9a-f]{64}$/),
})

/** A Solana deposit's terms, from which its address is derived. Amounts are base units, wallets are owners in base58. */
export type SolanaTerms = z.infer<typeof termsSchema>

export const { format: formatSolanaTerms, parse: parseSolanaTerms } = storedTerms('deposit', termsSchema)

/** Solana's number in SLIP-0044. */
const solanaCoin = 501

/** Levels of 31 bits: 155 bits of the terms' hash, too many to find other terms with the same path. */
const termLevels = 5

/**
 * The path from the seed to a deposit owner's key (SLIP-0010, all levels hardened). It is the hash of the terms, so that the
 * address proves the terms: modified terms derive another key, and no money moves.
 * @see https://github.com/satoshilabs/slips/blob/master/slip-0010.md
 */
export function derivationPath(terms: string): string {
  const hash = createHash('sha256').update(terms).digest()
  const levels = Array.from({ length: termLevels }, (_, level) => hash.readUInt32BE(4 * level) & 0x7fff_ffff)
  return `m/44'/${solanaCoin}'/${levels.map((index) => `${index}'`).join('/')}`
}
