import { setTimeout as sleep } from 'node:timers/promises'
import { faultText } from '../chain/fault-text.ts'
import type { Log } from '../core/log.ts'

/** Longest pause after faults: a node that is back is noticed within it. */
const faultPauseMaxMs = 60_000

type Work = {
  network: { shortName: string; pollMs: number }
  log: Log
  /** @returns how many things were done; zero: there is nothing to do but wait. */
  pass: (signal: AbortSignal) => Promise<number>
}

/** Passes until the signal, then finishes the one in hand. Never rejects. */
export async function workLoop({ network, log, pass }: Work, signal: AbortSignal): Promise<void> {
  let faults = 0
  while (!signal.aborted) {
    let pauseMs = network.pollMs
    try {
      const done = await pass(signal)
      faults = 0
      if (done > 0) pauseMs = 0
    } catch (error) {
      faults += 1
      pauseMs = Math.min(network.pollMs * 2 ** Math.min(faults, 10), faultPauseMaxMs)
      log.error(
        { network: network.shortName, fault: faultText(error), faults, pauseMs },
        'The sweeper met a fault and will go on',
      )
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
