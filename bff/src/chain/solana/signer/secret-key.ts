import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import type { Runtime } from '../../../core/runtime.ts'

/** A secret key is a seed of 32 bytes, then its public key. */
const keyBytes = 64
const seedBytes = 32

/**
 * A secret key as wallets export it (base58) or as `solana-keygen` stores it (a JSON array of 64 numbers).
 * @returns undefined when the text is neither, or its two halves do not belong together.
 */
export function parseSolanaKey(text: string): Uint8Array | undefined {
  try {
    const key = text.startsWith('[') ? Uint8Array.from(JSON.parse(text) as number[]) : base58.decode(text)
    // `fromSecretKey` throws when the public key is not that of the seed.
    return key.length === keyBytes ? Keypair.fromSecretKey(key).secretKey : undefined
  } catch {
    return undefined
  }
}

/** A new secret key, in base58. */
export const newSolanaKey = (runtime: Runtime): string =>
  base58.encode(Keypair.fromSeed(runtime.randomBytes(seedBytes)).secretKey)

/** The address that a secret key signs for; undefined when the text is not such a key. */
export function solanaKeyAddress(text: string): string | undefined {
  const key = parseSolanaKey(text)
  return key && Keypair.fromSecretKey(key).publicKey.toBase58()
}
