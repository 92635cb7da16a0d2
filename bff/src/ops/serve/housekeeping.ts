import { deleteEndedCounts } from '../../access/limits/rate-limit-store.ts'
import { deleteOldDecisions } from '../../agent/decision-store.ts'
import { deleteExpiredKeys } from '../../checkout/idempotency-store.ts'
import type { Log } from '../../core/log.ts'
import { runAll } from '../../core/run-all.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isFaultOfAll } from '../../db/write-each.ts'

const pauseMs = 60_000
/** Maximum rows of one table per commit, so that no request waits long for it. */
const rowsMax = 1_000

/** Deletes at most `rowsMax` expired rows in each table of a part. @returns the largest number of one table. */
export type DeleteExpired = (tx: Tx, nowMs: number, rowsMax: number) => Promise<number>

/**
 * Deletes expired idempotency keys, past rate limit counts, old decisions about agents, and the expired rows of parts, until
 * the signal aborts. Never rejects.
 */
export function runHousekeeping(
  { db, runtime, log, ofParts }: { db: Db; runtime: Runtime; log: Log; ofParts: readonly DeleteExpired[] },
  signal: AbortSignal,
): Promise<void> {
  return runWorker(
    {
      pauseMs,
      async pass() {
        const nowMs = runtime.nowMs()
        let isBehind = false
        const steps = [deleteExpiredKeys, deleteEndedCounts, deleteOldDecisions, ...ofParts].map(
          (deleteExpired) => async () => {
            const deleted = await db.write((tx) => deleteExpired(tx, nowMs, rowsMax))
            if (deleted >= rowsMax) isBehind = true
            return deleted
          },
        )
        // A table whose rows cannot be deleted must not let the others grow.
        await runAll(steps, isFaultOfAll)
        return isBehind
      },
      onFailure: ({ error }) => log.warn({ err: error }, 'Deleting expired rows failed; retrying'),
    },
    signal,
  )
}
