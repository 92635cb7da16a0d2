import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { paymentsAfter, type WatchedPayment } from '../../../payment/watched-payments-store.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'

/** Rows per query, so that a start with many open payments never holds them all twice. */
const pageRows = 5_000

/** The node filters for so few addresses; above it, one query for all transfers of the tokens is cheaper for both sides. */
const fewMax = 500

type Watched = { id: PaymentId; source: string; windowEndsAtMs: number; isHighValue: boolean }

/** As an event names it: an address fills its topic with zeros on the left, the hash of a call's terms is one already. */
const topicOf = ({ mode, address }: WatchedPayment): string =>
  mode === 'deposit' ? `0x${address.slice(2).toLowerCase().padStart(64, '0')}` : address

/**
 * What money may still come to on one network, by the topic that an event would name it by.
 * It is read from the database, so that nothing has to tell the watcher of a new payment, and nothing can forget to.
 */
export function createWatchList(db: Db, network: string) {
  const watched = new Map<string, Watched>()
  const splitters = new Set<string>()
  let newest = 0
  return {
    /** Adds what was created since the last call and drops what ended long ago. @param nowMs - Of the chain's clock. */
    async refresh(nowMs: number): Promise<void> {
      for (;;) {
        const rows = await db.read((tx) => paymentsAfter(tx, network, newest, nowMs - watchAfterWindowMs, pageRows))
        for (const row of rows) {
          const { id, source, windowEndsAtMs, confirmations } = row
          watched.set(topicOf(row), {
            id,
            source: source.toLowerCase(),
            windowEndsAtMs,
            isHighValue: confirmations !== null,
          })
          if (row.mode === 'contract') splitters.add(source)
        }
        newest = rows.at(-1)?.number ?? newest
        if (rows.length < pageRows) break
      }
      // Oldest first: the map keeps the order of creation, and so nearly that of the windows.
      for (const [topic, { windowEndsAtMs }] of watched) {
        if (windowEndsAtMs > nowMs - watchAfterWindowMs) break
        watched.delete(topic)
      }
    },
    get size() {
      return watched.size
    },
    splitters,
    find: (topic: string) => watched.get(topic),
    has: (topic: string) => watched.has(topic),
    /** All topics when they are few enough for the node to filter by, else undefined. */
    few: () => (watched.size <= fewMax ? [...watched.keys()] : undefined),
  }
}
