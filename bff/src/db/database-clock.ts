import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'

/** Smaller differences are not corrected: synchronized clocks differ by less, and time should not step back. */
const toleranceMs = 250

/** Larger differences are logged: the operator should set this machine's clock. */
const worthLoggingMs = 2_000

/**
 * All replicas use their database's time, so that they agree on what is due even if their machines' clocks are minutes
 * apart.
 */
export function createDatabaseClock(own: Runtime, log: Log) {
  let aheadMs = 0
  return {
    runtime: { ...own, nowMs: () => own.nowMs() + aheadMs },
    /** Takes the database's time, read between two times of this machine's clock. All in Unix milliseconds. */
    note(databaseMs: number, fromMs: number, toMs: number): void {
      const [least, most] = [databaseMs - toMs, databaseMs - fromMs]
      if (aheadMs >= least - toleranceMs && aheadMs <= most + toleranceMs) return
      aheadMs = Math.round((least + most) / 2)
      const fields = { differenceMs: aheadMs }
      if (Math.abs(aheadMs) < worthLoggingMs) log.info(fields, "The service follows the database's clock")
      else
        log.warn(
          fields,
          "This machine's clock differs from the database's, which the service follows; set the machine's clock",
        )
    },
  }
}
