import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { deleteExpiredKeys } from './idempotency-store.ts'

const everyMs = 60_000
/** Keys per commit, so that nobody waits long behind it. */
const rowsMax = 1_000

/** Forgets what has expired. */
export async function runHousekeeping(
  { db, runtime, log }: { db: Db; runtime: Runtime; log: Log },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await db
      .write((tx) => deleteExpiredKeys(tx, runtime.nowMs(), rowsMax))
      .catch((error: unknown) => log.warn({ err: error }, 'expired idempotency keys could not be deleted'))
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
