import { base58 } from '@scure/base'

/** Whether a text is an address: 32 bytes in base58. There is no checksum, so only a typing error that changes the length is found. */
export const isSolanaAddress = (text: string): boolean => isBase58(text, 32, 44)

/** Whether a text is the id of a transaction, which is its first signature. */
export const isSolanaSignature = (text: string): boolean => isBase58(text, 64, 88)

/** @param charsMax - The most characters that so many bytes take. Longer texts are not decoded: the time grows with the square of their length. */
function isBase58(text: string, bytes: number, charsMax: number): boolean {
  if (text.length > charsMax) return false
  try {
    return base58.decode(text).length === bytes
  } catch {
    return false
  }
}
