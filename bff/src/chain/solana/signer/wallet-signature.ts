import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'

/** What precedes the 32 bytes of an ed25519 key in its SPKI form. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const signatureBytes = 64

/** Whether the wallet's key has signed the message's UTF-8, as wallets do for `signMessage`. A program's address has no key. @param signature - Base58. */
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
