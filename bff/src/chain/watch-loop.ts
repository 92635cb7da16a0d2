import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import { runWorker } from '../core/worker.ts'
import { CommitUnknownError, DatabaseUnavailableError } from '../db/unavailable.ts'
import type { Fault } from '../network/network-health.ts'
import { faultOf } from './network-fault.ts'

/** Maximum pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

/** Failed passes in a row after which the network is no longer offered. */
const failuresMax = 3

type Deps = {
  network: Network
  /** Applies new blocks. @returns true if there may be more to apply immediately. */
  pass: (signal: AbortSignal) => Promise<boolean>
  onFailure?: () => void
  /**
   * Called with the fault after each failed pass from the third in a row on, except for database faults, and with undefined once
   * the chain is readable again.
   */
  report: (fault: Fault | undefined) => void
  /** Called after each pass, for metrics. */
  passed?: ((network: string, isWell: boolean) => void) | undefined
  log: Log
}

/** Runs passes until aborted, with longer pauses while they fail. Never rejects. */
export function watchLoop(deps: Deps, signal: AbortSignal): Promise<void> {
  const { network, pass, onFailure, report, passed, log } = deps
  let isReported = false
  return runWorker(
    {
      pauseMs: network.pollMs,
      backOffMaxMs,
      pass,
      onSuccess() {
        if (isReported) report(undefined)
        isReported = false
        passed?.(network.shortName, true)
      },
      onFailure({ error, failures }) {
        passed?.(network.shortName, false)
        onFailure?.()
        // On database faults, requests fail with 503 by themselves; the network's nodes are healthy.
        const isOfNodes = !(error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError)
        if (failures >= failuresMax && isOfNodes) {
          isReported = true
          report(faultOf(error, network))
        }
        log.warn({ network: network.shortName, err: error, failures }, 'Reading the chain failed; retrying')
      },
    },
    signal,
  )
}
