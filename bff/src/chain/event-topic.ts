import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'

/**
 * Addresses in the 32-byte topics of events, on every chain with Ethereum's log format. An event names an account by 20 bytes,
 * written as hex on EVM networks and in Base58Check on Tron.
 */

const base58check = createBase58check((bytes) => createHash('sha256').update(bytes).digest())

/** Precedes the 20 bytes of every Tron address, on all networks: the text then begins with T. */
const tronPrefix = 0x41

const addressBytes = 20

/** Length of 21 bytes and their checksum, whatever the bytes. Longer texts are not decoded: decoding takes quadratic time. */
const tronAddressLength = 34

/** The 20 bytes of a Tron address; undefined for any other text, including one with a wrong character. */
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

/** The 20 bytes of an address in lower-case hex, as nodes of both kinds of chain name accounts and contracts. */
export function addressHex(address: string): string {
  const bytes = tronAddressBytes(address)
  return bytes === undefined ? address.toLowerCase() : `0x${Buffer.from(bytes).toString('hex')}`
}

export const addressTopic = (address: string): string => `0x${addressHex(address).slice(2).padStart(64, '0')}`

/** The topic by which an event names a payment. @param place - A deposit's address, or the hash of a wallet payment's terms. */
export const topicOf = ({ mode, place }: { mode: 'deposit' | 'contract' | 'refund'; place: string }): string =>
  mode === 'deposit' ? addressTopic(place) : place.toLowerCase()

/** A topic's address in lower-case hex; undefined if it has none. */
export const topicAddress = (topic: string): string | undefined =>
  topic.startsWith(`0x${'0'.repeat(24)}`) ? `0x${topic.slice(26)}` : undefined
