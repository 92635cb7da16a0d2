import type { Hex } from 'viem'
import { keccak256 } from '../keccak.ts'

/**
 * A block's bloom filter over the addresses and topics of its logs: 2,048 bits, three per item.
 * @see https://ethereum.github.io/yellowpaper/paper.pdf section 4.4.1
 */
const bloomBytes = 256
const bitsPerItem = 3
/** Items whose bit positions are cached: each block is checked for the watched topics of some hundred open payments. */
const placesMax = 2_000

type Place = { byte: number; mask: number }

const placesByItem = new Map<string, Place[]>()

function placesOf(item: string): Place[] {
  const known = placesByItem.get(item)
  if (known) return known
  const hash = Buffer.from(keccak256(item as Hex).slice(2), 'hex')
  const places = Array.from({ length: bitsPerItem }, (_, index) => {
    const bit = ((hash[2 * index] ?? 0) * 256 + (hash[2 * index + 1] ?? 0)) % (8 * bloomBytes)
    return { byte: bloomBytes - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
  if (placesByItem.size >= placesMax) placesByItem.clear()
  placesByItem.set(item, places)
  return places
}

export type Bloom = Uint8Array

export const parseBloom = (text: Hex): Bloom => Buffer.from(text.slice(2), 'hex')

/** False: no log has the item. True: a log may have it; fuller filters match more often by chance. */
export const mayHold = (bloom: Bloom, item: string): boolean =>
  placesOf(item.toLowerCase()).every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0)

/** The share of set bits, 0 to 1. */
function fullness(bloom: Bloom): number {
  let bits = 0
  for (const byte of bloom) for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1
  return bits / (8 * bloomBytes)
}

/** Whether these logs' addresses and topics produce exactly this filter; then no log of the block is missing or invented. */
export function isBloomOf(bloom: Bloom, logs: readonly { address: string; topics: readonly string[] }[]): boolean {
  const filled = new Uint8Array(bloomBytes)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      for (const { byte, mask } of placesOf(item.toLowerCase())) filled[byte] = (filled[byte] ?? 0) | mask
    }
  }
  return Buffer.compare(filled, bloom) === 0
}

/** A query in the form of `eth_getLogs`: any of the addresses, and any of each topic. */
export type LogQuery = { address: string[]; topics: (readonly string[] | null)[] }

type Logged = { address: string; topics: readonly string[] }

/** Fuller filters are ignored: they match one address in ten by chance, and each match costs reading a whole block's logs. */
const fullnessMax = 0.46

/** Maximum topics to look up in a block's filter: among more, some match by chance. */
const topicsMax = 50

/** Whether the block's filter proves that no log matches the query. */
export function provesNone(bloom: Bloom, { address, topics: [kinds, , targets] }: LogQuery): boolean {
  if (fullness(bloom) > fullnessMax) return false
  if (!address.some((one) => mayHold(bloom, one)) || !kinds?.some((kind) => mayHold(bloom, kind))) return true
  return targets !== null && targets !== undefined && !targets.some((target) => mayHold(bloom, target))
}

/**
 * Whether the block's filter suggests that the node omitted logs. It can match by chance; {@link isBloomOf} with all logs of the
 * block proves it.
 */
export function hidesLogs(bloom: Bloom, { address, topics }: LogQuery, logs: readonly Logged[]): boolean {
  const [kinds, , targets] = topics
  if (fullness(bloom) > fullnessMax) return false
  if (!address.some((one) => mayHold(bloom, one)) || !kinds?.some((kind) => mayHold(bloom, kind))) return false
  if (!targets || targets.length > topicsMax) return logs.length === 0
  return targets.some((target) => mayHold(bloom, target) && !logs.some((log) => log.topics[2] === target))
}
