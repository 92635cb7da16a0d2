import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import { runWorker } from '../core/worker.ts'
import { CommitUnknownError, DatabaseUnavailableError } from '../db/unavailable.ts'
import type { Fault } from '../network/network-health.ts'
import { faultOf } from './network-fault.ts'

/** The longest pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

/** Failed passes in a row after which the network is no longer offered. */
const failuresMax = 3

type Deps = {
  network: Network
  /** Applies new blocks. @returns true when there may be more at once. */
  pass: (signal: AbortSignal) => Promise<boolean>
  onFailure?: () => void
  /** Called with the fault for each pass from the third failure in a row on that is not the database's, and without a fault when the chain can be read again. */
  report: (fault: Fault | undefined) => void
  /** Called after each pass, for the metrics. */
  passed?: ((network: string, isWell: boolean) => void) | undefined
  log: Log
}

/** Runs passes until the signal, with longer pauses while they fail. Never rejects. */
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
        // Requests find out by themselves, and are answered 503: the network's nodes are well.
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
