import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import type { Runtime } from '../../../core/runtime.ts'

/** A secret key holds its public key behind the seed of 32 bytes. */
const keyBytes = 64
const seedBytes = 32

/**
 * A secret key as wallets export it (base58) or as `solana-keygen` stores it (a JSON array of 64 numbers).
 * @returns undefined when the text is neither, or its two halves do not belong together.
 */
export function parseSolanaKey(text: string): Uint8Array | undefined {
  try {
    const key = text.startsWith('[') ? Uint8Array.from(JSON.parse(text) as number[]) : base58.decode(text)
    // Compares the halves.
    return key.length === keyBytes ? Keypair.fromSecretKey(key).secretKey : undefined
  } catch {
    return undefined
  }
}

/** A new secret key, in base58. */
export const newSolanaKey = (runtime: Runtime): string =>
  base58.encode(Keypair.fromSeed(runtime.randomBytes(seedBytes)).secretKey)

/** Whom a secret key signs for; undefined when it is none. */
export function solanaKeyAddress(text: string): string | undefined {
  const key = parseSolanaKey(text)
  return key && Keypair.fromSecretKey(key).publicKey.toBase58()
}
