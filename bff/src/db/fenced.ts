import type { Db } from './db.ts'
import { isLeaseHeld, type LeaseKey } from './lease-store.ts'

/** Another replica works for this now: whoever was stalled for so long changes nothing any more. */
export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`The lease "${name}" is another replica's now.`)
  }
}

/**
 * The database as the worker of one lease has it: each write first reads the lease's row, and is refused once somebody else has taken it.
 *
 * What the row says stays so until the commit, because taking a lease is a write too, and groups of writes take turns on all
 * replicas (`postgres/writer.ts`; SQLite has one writer): no lock of the row is needed, and no clock is read. A worker that was
 * stopped in the middle of a group holds up all others until the server ends its transaction, and what it wrote is undone then.
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
