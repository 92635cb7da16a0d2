import type { Db } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { depositsAfter } from '../payment/payment-store.ts'

/** Rows per query, so that a start with many open deposits never holds them all twice. */
const pageRows = 5_000

/** Money that comes after the window is still seen for this long. */
const lateWatchMs = 7 * 24 * 60 * 60 * 1000

/** The node filters for so few addresses; above it, one query for all transfers of the tokens is cheaper for both sides. */
const fewMax = 500

type Watched = { id: PaymentId; token: string; windowEndsAtMs: number }

/**
 * Deposit addresses of one network that money may still come to, by lower-case address.
 * It is read from the database, so that nothing has to tell the watcher of a new payment, and nothing can forget to.
 */
export function createWatchList(db: Db, network: string) {
  const watched = new Map<string, Watched>()
  let newest = 0
  return {
    /** Adds what was created since the last call and drops what ended long ago. */
    async refresh(nowMs: number): Promise<void> {
      for (;;) {
        const rows = await db.read((tx) => depositsAfter(tx, network, newest, nowMs - lateWatchMs, pageRows))
        for (const { address, id, token, windowEndsAtMs } of rows) {
          watched.set(address.toLowerCase(), { id, token: token.toLowerCase(), windowEndsAtMs })
        }
        newest = rows.at(-1)?.number ?? newest
        if (rows.length < pageRows) break
      }
      // Oldest first: the map keeps the order of creation, and so nearly that of the windows.
      for (const [address, { windowEndsAtMs }] of watched) {
        if (windowEndsAtMs > nowMs - lateWatchMs) break
        watched.delete(address)
      }
    },
    get size() {
      return watched.size
    },
    find: (address: string) => watched.get(address),
    has: (address: string) => watched.has(address),
    /** All addresses when they are few enough for the node to filter by, else undefined. */
    few: () => (watched.size <= fewMax ? [...watched.keys()] : undefined),
  }
}
