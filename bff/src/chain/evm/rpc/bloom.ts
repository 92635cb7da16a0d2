import type { Hex } from 'viem'
import { keccakHex } from './keccak.ts'

/** A block's filter over the addresses and topics of its logs: 2,048 bits, three for each. @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.4.1 */
const bloomBytes = 256
const bitsPerItem = 3
/** Items remembered: the watched topics of some hundred open payments, again and again. */
const placesMax = 2_000

type Place = { byte: number; mask: number }

const remembered = new Map<string, Place[]>()

function placesOf(item: string): Place[] {
  const known = remembered.get(item)
  if (known) return known
  const hash = Buffer.from(keccakHex(Buffer.from(item.slice(2), 'hex')), 'hex')
  const places = Array.from({ length: bitsPerItem }, (_, index) => {
    const bit = ((hash[2 * index] ?? 0) * 256 + (hash[2 * index + 1] ?? 0)) % (8 * bloomBytes)
    return { byte: bloomBytes - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
  if (remembered.size >= placesMax) remembered.clear()
  remembered.set(item, places)
  return places
}

export type Bloom = Uint8Array

export const parseBloom = (text: Hex): Bloom => Buffer.from(text.slice(2), 'hex')

/** False: it is certainly not there. True: it may be, the likelier the fuller the filter. */
export const mayHold = (bloom: Bloom, item: string): boolean =>
  placesOf(item.toLowerCase()).every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0)

/** The share of bits that are set, 0 to 1. */
export function fullness(bloom: Bloom): number {
  let bits = 0
  for (const byte of bloom) for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1
  return bits / (8 * bloomBytes)
}

/** Whether a block with this filter has exactly logs whose addresses and topics fill it: none can be missing or invented unseen. */
export function isBloomOf(bloom: Bloom, logs: readonly { address: string; topics: readonly string[] }[]): boolean {
  const filled = new Uint8Array(bloomBytes)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      for (const { byte, mask } of placesOf(item.toLowerCase())) filled[byte] = (filled[byte] ?? 0) | mask
    }
  }
  return Buffer.compare(filled, bloom) === 0
}
