import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { runWorker } from '../core/worker.ts'
import type { Db } from '../db/db.ts'
import { deleteExpiredKeys } from './idempotency-store.ts'

const pauseMs = 60_000
/** Keys of one commit, so that no request waits long behind it. */
const rowsMax = 1_000

/** Deletes expired idempotency keys until the signal. Never rejects. */
export function runHousekeeping(
  { db, runtime, log }: { db: Db; runtime: Runtime; log: Log },
  signal: AbortSignal,
): Promise<void> {
  return runWorker(
    {
      pauseMs,
      async pass() {
        await db.write((tx) => deleteExpiredKeys(tx, runtime.nowMs(), rowsMax))
        return false
      },
      onFailure: ({ error }) => log.warn({ err: error }, 'expired idempotency keys could not be deleted'),
    },
    signal,
  )
}
