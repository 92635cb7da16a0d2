import { loadConfig, serve } from '@stablecoin-checkout/bff'
import { systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase, openHeartbeats } from '@stablecoin-checkout/bff/testing/db'
import { leaseTimesOf, openStriker, strikingDb, strikingHeartbeats, type Trouble } from './striking-db.ts'

/**
 * The whole service from its source, with its own configuration, that kills or stops itself at a commit, on a machine whose clock
 * is ahead: `failpoint.ts <JSON>`. It also rejects writes of a worker without its lease. The merchants' bundle contains none of
 * this.
 */
const { failpoint, aheadMs = 0, leaseMs } = JSON.parse(process.argv[2] ?? '') as Trouble

// Neither signal can be caught: the service executes no further instruction.
const striker = openStriker(failpoint, (signal) => process.kill(process.pid, signal))
const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
await serve(loadConfig(process.env), runtime, {
  open: async (...database) => strikingDb(await openDatabase(...database), striker),
  openHeartbeats: (url) => strikingHeartbeats(openHeartbeats(url), striker),
  leaseTimes: leaseMs === undefined ? undefined : leaseTimesOf(leaseMs),
})
