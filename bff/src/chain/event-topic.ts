import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'

/**
 * Addresses in the 32-byte topics of events, for every chain whose logs have Ethereum's form: an event names an account by 20 bytes, which
 * people write as hex on EVM networks and in Base58Check on Tron.
 */

const base58check = createBase58check((bytes) => createHash('sha256').update(bytes).digest())

/** Precedes the 20 bytes of each address of Tron's mainnet and test networks: the text then begins with T. */
const tronPrefix = 0x41

const addressBytes = 20

/** Of 21 bytes and their checksum, whatever the bytes. Longer texts are not decoded: the time grows with the square of their length. */
const tronAddressLength = 34

/** The 20 bytes of a Tron address; undefined when the text is none, also where one character is wrong. */
export function tronAddressBytes(text: string): Uint8Array | undefined {
  if (text.length !== tronAddressLength) return undefined
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 1 + addressBytes && bytes[0] === tronPrefix ? bytes.slice(1) : undefined
  } catch {
    return undefined
  }
}

/** @param hex - 20 bytes: 40 digits with 0x. */
export function tronAddressOf(hex: string): string {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  if (bytes.length !== addressBytes) throw new RangeError(`${hex} has ${bytes.length} bytes instead of ${addressBytes}`)
  return base58check.encode(Uint8Array.of(tronPrefix, ...bytes))
}

/** The 20 bytes of an address in hex, lower case, as nodes of both kinds of chain name an account or a contract. */
export function addressHex(address: string): string {
  const bytes = tronAddressBytes(address)
  return bytes === undefined ? address.toLowerCase() : `0x${Buffer.from(bytes).toString('hex')}`
}

export const addressTopic = (address: string): string => `0x${addressHex(address).slice(2).padStart(64, '0')}`

/** What an event names a payment by. @param place - The address of a deposit, or the hash of a wallet payment's terms. */
export const topicOf = ({ mode, place }: { mode: 'deposit' | 'contract' | 'refund'; place: string }): string =>
  mode === 'deposit' ? addressTopic(place) : place.toLowerCase()

/** A topic's address in hex, in lower case; undefined if it has none. */
export const topicAddress = (topic: string): string | undefined =>
  topic.startsWith(`0x${'0'.repeat(24)}`) ? `0x${topic.slice(26)}` : undefined
