import type { Network } from '../core/families.ts'
import { checksumAddress } from './evm/evm-address.ts'
import { isSolanaAddress } from './solana/solana-address.ts'

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
