import { base58 } from '@scure/base'
import { getAddress, isAddress } from 'viem'
import type { Network } from '../core/families.ts'

/** The address in its checksummed form, undefined when the text is none (a wrong checksum included). */
export function checksumAddress(text: string): string | undefined {
  return isAddress(text) ? getAddress(text) : undefined
}

/** Whether a text names a place on Solana: any 32 bytes in base58. It has no checksum, so a slip is only found by its length. */
export const isSolanaAddress = (text: string): boolean => isBase58(text, 32, 44)

/** Whether a text is the id of a transaction on Solana, which is its first signature. */
export const isSolanaSignature = (text: string): boolean => isBase58(text, 64, 88)

/** @param charsMax - What so many bytes need at most: decoding takes the square of the length. */
function isBase58(text: string, bytes: number, charsMax: number): boolean {
  if (text.length > charsMax) return false
  try {
    return base58.decode(text).length === bytes
  } catch {
    return false
  }
}

/** An address as its network writes it, undefined when the text is none. */
export function parseAddress({ family }: Pick<Network, 'family'>, text: string): string | undefined {
  if (family === 'evm') return checksumAddress(text)
  return isSolanaAddress(text) ? text : undefined
}

/** Whether a text has the form of an address, where nothing is sent to it: a wrong checksum passes. */
export const hasAddressForm = ({ family }: Pick<Network, 'family'>, text: string): boolean =>
  family === 'evm' ? /^0x[0-9a-fA-F]{40}$/.test(text) : isSolanaAddress(text)

/** What an address of the network looks like, for a sentence. */
export const addressFormat = ({ family }: Pick<Network, 'family'>): string =>
  family === 'evm' ? '0x and 40 hex digits' : '32 bytes in base58'
