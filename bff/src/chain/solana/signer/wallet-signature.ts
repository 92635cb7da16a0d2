import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'

/** SPKI prefix of a 32-byte ed25519 key. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const signatureBytes = 64

/**
 * Verifies a wallet's `signMessage` signature of the message in UTF-8. False for a program's address, which has no key.
 * @param signature - Base58.
 */
export function isSignedByKey(address: string, message: string, signature: string): boolean {
  try {
    const signed = base58.decode(signature)
    if (signed.length !== signatureBytes) return false
    const spki = Buffer.concat([spkiPrefix, base58.decode(address)])
    return verify(null, Buffer.from(message), createPublicKey({ key: spki, format: 'der', type: 'spki' }), signed)
  } catch {
    return false
  }
}
