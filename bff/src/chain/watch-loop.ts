import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Fault } from '../network/network-health.ts'
import { faultOf } from './network-fault.ts'

/** Longest pause after faults of the node. */
const backOffMaxMs = 30_000

/** Passes that fail in a row before the network is not offered any more. */
const failuresMax = 3

type Deps = {
  network: Network
  /** Applies what is new. @returns true when there may be more at once. */
  pass: (signal: AbortSignal) => Promise<boolean>
  onFailure?: () => void
  /** Told when the chain cannot be watched, again with each pass that fails; without a fault when it can be again. */
  report: (fault: Fault | undefined) => void
  /** Told of each pass whether it went well. */
  passed?: ((network: string, isWell: boolean) => void) | undefined
  log: Log
}

/** Passes until the signal, and pauses longer while they fail. Never rejects. */
export async function watchLoop(deps: Deps, signal: AbortSignal): Promise<void> {
  const { network, pass, onFailure, report, passed, log } = deps
  let failures = 0
  while (!signal.aborted) {
    const hasMore = await pass(signal).then(
      (more) => {
        if (failures >= failuresMax) report(undefined)
        failures = 0
        passed?.(network.shortName, true)
        return more
      },
      (error: unknown) => {
        failures += 1
        if (!signal.aborted) passed?.(network.shortName, false)
        onFailure?.()
        if (failures >= failuresMax && !signal.aborted) report(faultOf(error, network))
        if (!signal.aborted) {
          log.warn({ network: network.shortName, err: error, failures }, 'the chain could not be read')
        }
        return false
      },
    )
    const backOffMs =
      failures === 0 ? network.pollMs : Math.min(backOffMaxMs, network.pollMs * 2 ** Math.min(failures, 10))
    if (!hasMore) await sleep(backOffMs, undefined, { signal }).catch(() => undefined)
  }
}
