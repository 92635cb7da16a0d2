import type { Db } from '../../../db/db.ts'
import {
  depositsAfterWindow,
  depositsAt,
  firstDepositAfterWindow,
  type WatchedDeposit,
  type WindowPlace,
  watchedPlaces,
} from '../../../payment/store/watched-payments-store.ts'
import { addressTopic, topicAddress } from '../../event-topic.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { createFewTopics } from './few-topics.ts'

/** Topics per query: a long range of blocks contains hundreds of thousands of addresses. */
const topicsMax = 5_000

type Holder = { id: WatchedDeposit['id']; address: string }

/**
 * The deposit addresses to search for unmatched transfers. The list stays in the database, like the watcher's.
 * @param homes - The deposits' networks: their addresses exist on every network.
 */
export function createUnmatchedAddresses(db: Db, homes: readonly string[]) {
  const few = createFewTopics(async (tx, endedAfterMs, limit) => {
    const places = []
    for (const network of homes) {
      places.push(...(await watchedPlaces(tx, { network, mode: 'deposit', endedAfterMs }, limit - places.length)))
      if (places.length === limit) break
    }
    return places
  })
  let endedAfterMs = 0
  /** Where the next `slice` starts; undefined: at the first network's oldest window. */
  let next: { home: number; after: WindowPlace } | undefined

  return {
    /** @param timeMs - By the chain's clock: deposits that ended long before are no longer watched. */
    async refresh(timeMs: number): Promise<void> {
      endedAfterMs = timeMs - watchAfterWindowMs
      await few.refresh(db, endedAfterMs)
    },
    isEmpty: few.isEmpty,
    /** All topics, if few enough for the node to filter by; else undefined. */
    few: few.topics,
    /** When the oldest deposit was created; undefined if nothing is watched. */
    async firstCreatedAtMs(): Promise<number | undefined> {
      const found: number[] = []
      for (const home of homes) {
        const atMs = await db.read((tx) => firstDepositAfterWindow(tx, home, endedAfterMs))
        if (atMs !== undefined) found.push(atMs)
      }
      return found.length === 0 ? undefined : Math.min(...found)
    },
    /** The deposits of these topics. */
    async find(topics: readonly string[]): Promise<Map<string, WatchedDeposit>> {
      const found = new Map<string, WatchedDeposit>()
      for (let first = 0; first < topics.length; first += topicsMax) {
        const addresses = topics.slice(first, first + topicsMax).flatMap((topic) => topicAddress(topic) ?? [])
        for (const deposit of await db.read((tx) => depositsAt(tx, addresses))) {
          const { network, address, windowEndsAtMs } = deposit
          if (homes.includes(network) && windowEndsAtMs > endedAfterMs) found.set(addressTopic(address), deposit)
        }
      }
      return found
    },
    /** The next deposits in turn, at most `limit`: ordered by window, network after network, then from the start again. */
    async slice(limit: number): Promise<Holder[]> {
      const holders: Holder[] = []
      const { home: begin, after } = next ?? { home: 0, after: undefined }
      const start = { windowEndsAtMs: endedAfterMs, number: Number.MAX_SAFE_INTEGER }
      for (let home = begin; home < homes.length; home++) {
        const isBehind = home !== begin || after === undefined || after.windowEndsAtMs < endedAfterMs
        const wanted = limit - holders.length
        const rows = await db.read((tx) => depositsAfterWindow(tx, homes[home] ?? '', isBehind ? start : after, wanted))
        holders.push(...rows)
        const last = rows.at(-1)
        if (last && holders.length === limit) {
          next = { home, after: last }
          return holders
        }
      }
      next = undefined
      return holders
    },
  }
}
