import { deleteEndedCounts } from '../../access/limits/rate-limit-store.ts'
import { deleteOldDecisions } from '../../agent/decision-store.ts'
import { deleteExpiredKeys } from '../../checkout/idempotency-store.ts'
import { deleteExpiredLinkKeys } from '../../checkout/link/link-key-store.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import { deleteEnded } from '../../dashboard/sign-in/session-store.ts'
import type { Db } from '../../db/db.ts'

const pauseMs = 60_000
/** Maximum rows of one table per commit, so that no request waits long behind it. */
const rowsMax = 1_000

/**
 * Ended sessions and invitations of the dashboard are kept for a day, so that a clock that was set back does not revive
 * them.
 */
const endedKeptMs = 24 * 60 * 60_000

/**
 * Deletes ended sessions, expired idempotency keys, rate limit counts of past windows, and old decisions about agents,
 * until the signal. Never rejects.
 */
export function runHousekeeping(
  { db, runtime, log }: { db: Db; runtime: Runtime; log: Log },
  signal: AbortSignal,
): Promise<void> {
  return runWorker(
    {
      pauseMs,
      async pass() {
        const nowMs = runtime.nowMs()
        const keys = await db.write((tx) => deleteExpiredKeys(tx, nowMs, rowsMax))
        const linkKeys = await db.write((tx) => deleteExpiredLinkKeys(tx, nowMs, rowsMax))
        const counts = await db.write((tx) => deleteEndedCounts(tx, nowMs, rowsMax))
        const decisions = await db.write((tx) => deleteOldDecisions(tx, nowMs, rowsMax))
        const sessions = await db.write((tx) => deleteEnded(tx, nowMs - endedKeptMs, rowsMax))
        return [keys, linkKeys, counts, decisions, sessions].includes(rowsMax)
      },
      onFailure: ({ error }) => log.warn({ err: error }, 'Deleting expired rows failed; retrying'),
    },
    signal,
  )
}
