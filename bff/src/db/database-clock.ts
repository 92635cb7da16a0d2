import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'

/** A difference below it is not corrected: clocks that somebody keeps right differ by less, and time should not step back. */
const toleranceMs = 250

/** A difference that is worth a line in the log: somebody should set this machine's clock. */
const worthLoggingMs = 2_000

/**
 * The time of all replicas is that of their database: what one of them makes due in a moment is due for the others in the same
 * moment, even if the clocks of their machines are minutes apart.
 */
export function createDatabaseClock(own: Runtime, log: Log) {
  let aheadMs = 0
  return {
    runtime: { ...own, nowMs: () => own.nowMs() + aheadMs },
    /** Takes the database's time, which was read between two moments of this machine's clock. All in Unix milliseconds. */
    note(databaseMs: number, fromMs: number, toMs: number): void {
      const [least, most] = [databaseMs - toMs, databaseMs - fromMs]
      if (aheadMs >= least - toleranceMs && aheadMs <= most + toleranceMs) return
      aheadMs = Math.round((least + most) / 2)
      const fields = { differenceMs: aheadMs }
      if (Math.abs(aheadMs) < worthLoggingMs) log.info(fields, "The service follows the database's clock")
      else log.warn(fields, "This machine's clock differs from the database's, which the service follows: set it right")
    },
  }
}
