import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { depositsAfter } from '../../../payment/unmatched-store.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'

/** Rows per query, so that a start with many open payments never holds them all twice. */
const pageRows = 5_000

/** The node filters for so few addresses; above it, one query for all transfers of the tokens is cheaper for both sides. */
const fewMax = 500

/** Those that are over are let go in one go, because moving up the others costs their number. */
const overMin = 1_000

type Entry = { id: PaymentId; network: string; token: string; address: string; topic: string; windowEndsAtMs: number }

export type StrayList = ReturnType<typeof createStrayList>

/**
 * Every deposit address of every network, because it is an address on all of them. One list for all networks: it is what
 * takes memory.
 */
export function createStrayList(db: Db) {
  const byTopic = new Map<string, Entry>()
  /** In the order of creation, and so nearly that of the windows. */
  const entries: Entry[] = []
  /** Where each network's reading has come to: what is over for the slowest is over. */
  const times = new Map<string, number>()
  let newest = 0
  /** Of the first of `entries`, counted from the start. */
  let first = 0

  function dropEnded(endedMs: number): void {
    let over = 0
    while (over < entries.length && (entries[over]?.windowEndsAtMs ?? 0) <= endedMs) over += 1
    if (over < overMin && over < entries.length) return
    for (const { topic } of entries.splice(0, over)) byTopic.delete(topic)
    first += over
  }

  return {
    /** Adds what was created since the last call and drops what ended long ago. @param timeMs - To where the network was read. */
    async refresh(network: string, timeMs: number): Promise<void> {
      times.set(network, timeMs)
      const endedMs = Math.min(...times.values()) - watchAfterWindowMs
      for (;;) {
        const rows = await db.read((tx) => depositsAfter(tx, newest, endedMs, pageRows))
        // Another network's call may have read the same page meanwhile.
        for (const { number, ...row } of rows.filter((one) => one.number > newest)) {
          const topic = `0x${row.address.slice(2).toLowerCase().padStart(64, '0')}`
          const entry = { ...row, token: row.token.toLowerCase(), topic }
          byTopic.set(topic, entry)
          entries.push(entry)
          newest = number
        }
        if (rows.length < pageRows) break
      }
      dropEnded(endedMs)
    },
    get size() {
      return byTopic.size
    },
    /** End of the oldest window; undefined when the list is empty. */
    oldestWindowMs: (): number | undefined => entries[0]?.windowEndsAtMs,
    find: (topic: string) => byTopic.get(topic),
    has: (topic: string) => byTopic.has(topic),
    /** All topics when they are few enough for the node to filter by, else undefined. */
    few: () => (byTopic.size <= fewMax ? [...byTopic.keys()] : undefined),
    /** At most `limit` from a place on, and the place after them; from the start again after the last. */
    slice(place: number, limit: number): { entries: readonly Entry[]; next: number } {
      const from = Math.max(0, place - first)
      const found = entries.slice(from, from + limit)
      const isLast = from + found.length >= entries.length
      return { entries: found, next: isLast ? 0 : first + from + found.length }
    },
  }
}
