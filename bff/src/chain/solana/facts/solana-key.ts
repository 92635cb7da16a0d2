import { createPrivateKey, createPublicKey } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Runtime } from '../../../core/runtime.ts'

/** A secret key is a 32-byte seed followed by its public key. */
const keyBytes = 64
const seedBytes = 32

/** Prefix of an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Parses a secret key as exported by wallets (base58) or stored by `solana-keygen` (a JSON array of 64 numbers).
 * @returns undefined when the text is neither, or its two halves do not match.
 */
export function parseSolanaKey(text: string): Uint8Array | undefined {
  try {
    const key = text.startsWith('[') ? Uint8Array.from(JSON.parse(text) as number[]) : base58.decode(text)
    return key.length === keyBytes && secretKeyOf(key.subarray(0, seedBytes)).equals(key) ? key : undefined
  } catch {
    return undefined
  }
}

/** A new secret key, in base58. */
export const newSolanaKey = (runtime: Runtime): string => base58.encode(secretKeyOf(runtime.randomBytes(seedBytes)))

/** The address of a secret key; undefined for any other text. */
export function solanaKeyAddress(text: string): string | undefined {
  const key = parseSolanaKey(text)
  return key && base58.encode(key.subarray(seedBytes))
}

/** The seed, followed by its public key. */
function secretKeyOf(seed: Uint8Array): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.concat([seed, Buffer.from(x, 'base64url')])
}
