import { base58 } from '@scure/base'

/**
 * Whether a text is an address: 32 bytes in base58. There is no checksum: a typing error is detected only if it changes the
 * length.
 */
export const isSolanaAddress = (text: string): boolean => isBase58(text, 32, 44)

/** Whether a text is a transaction id, which is its first signature. */
export const isSolanaSignature = (text: string): boolean => isBase58(text, 64, 88)

/** @param charsMax - Maximum characters for the byte count. Longer texts are not decoded: decoding takes quadratic time. */
function isBase58(text: string, bytes: number, charsMax: number): boolean {
  if (text.length > charsMax) return false
  try {
    return base58.decode(text).length === bytes
  } catch {
    return false
  }
}
