import type { Db } from './db.ts'
import { isLeaseHeld, type LeaseKey } from './lease-store.ts'

/** Another replica holds the lease. A replica that stalled past the end of its lease must not write. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`Another replica now holds the lease "${name}".`)
  }
}

/**
 * The database for the worker of one lease: each write first reads the lease's row, and is refused once
 * another replica has taken the lease.
 *
 * The row cannot change before the commit, because taking a lease is a write too, and groups of writes take turns across
 * all replicas (`postgres/writer.ts`; SQLite has one writer). So this needs no row lock and reads no clock. A worker that
 * stalls in the middle of a group blocks all others until the server ends and rolls back its transaction.
 * @param onLost - Called when a write is refused.
 */
export function fenced(db: Db, lease: LeaseKey, onLost: () => void): Db {
  return {
    ...db,
    async write(unit) {
      try {
        return await db.write(async (tx) => {
          if (!(await isLeaseHeld(tx, lease))) throw new LeaseLostError(lease.name)
          return await unit(tx)
        })
      } catch (error) {
        if (error instanceof LeaseLostError) onLost()
        throw error
      }
    },
  }
}
