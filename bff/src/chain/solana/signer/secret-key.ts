import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import type { Runtime } from '../../../core/runtime.ts'

/** A secret key is a 32-byte seed, then its public key. */
const keyBytes = 64
const seedBytes = 32

/**
 * Parses a secret key as exported by wallets (base58) or stored by `solana-keygen` (a JSON array of 64 numbers).
 * @returns undefined when the text is neither, or its two halves do not match.
 */
export function parseSolanaKey(text: string): Uint8Array | undefined {
  try {
    const key = text.startsWith('[') ? Uint8Array.from(JSON.parse(text) as number[]) : base58.decode(text)
    // `fromSecretKey` throws when the public key is not the seed's.
    return key.length === keyBytes ? Keypair.fromSecretKey(key).secretKey : undefined
  } catch {
    return undefined
  }
}

/** A new secret key, in base58. */
export const newSolanaKey = (runtime: Runtime): string =>
  base58.encode(Keypair.fromSeed(runtime.randomBytes(seedBytes)).secretKey)

/** The address of a secret key; undefined when the text is not a key. */
export function solanaKeyAddress(text: string): string | undefined {
  const key = parseSolanaKey(text)
  return key && Keypair.fromSecretKey(key).publicKey.toBase58()
}
