import { setTimeout as sleep } from 'node:timers/promises'
import type { WakeSignal } from './wake-signal.ts'

/** Default of the longest pause after failures, and so the longest time until a recovered database or node is noticed. */
const defaultBackOffMaxMs = 60_000

/** One failed pass. `failures` counts the failed passes in a row, this one included; `pauseMs` is the time until the next pass. */
export type PassFailure = { error: unknown; failures: number; pauseMs: number }

/** A part of the service that runs one pass after another until it is stopped. */
export type Worker = {
  /** One bounded step that may be killed at any point and repeated. @returns true when more work may be due now. */
  pass(signal: AbortSignal): Promise<boolean>
  /** Time between two passes when there is nothing more to do. */
  pauseMs: number
  /** Upper bound of the pause, which doubles with each consecutive failure; at least `pauseMs`. */
  backOffMaxMs?: number
  /** The least pause that an error asks for, for example by `Retry-After`. `backOffMaxMs` bounds it. */
  retryAfterMs?(error: unknown): number
  /** Ends a pause early when another part of the service queues work. */
  wakeSignal?: WakeSignal
  onSuccess?(): void
  /** Not called for a pass that failed because the worker was stopped. */
  onFailure(failure: PassFailure): void
}

/** Runs passes until the signal aborts, then finishes the current pass. Never rejects. */
export async function runWorker(worker: Worker, signal: AbortSignal): Promise<void> {
  const { pauseMs, backOffMaxMs = defaultBackOffMaxMs } = worker
  let failures = 0
  while (!signal.aborted) {
    let nextPauseMs = pauseMs
    try {
      const hasMore = await worker.pass(signal)
      failures = 0
      worker.onSuccess?.()
      if (hasMore) nextPauseMs = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      const backOffMs = Math.max(pauseMs * 2 ** Math.min(failures, 10), worker.retryAfterMs?.(error) ?? 0)
      nextPauseMs = Math.min(backOffMs, Math.max(backOffMaxMs, pauseMs))
      worker.onFailure({ error, failures, pauseMs: nextPauseMs })
    }
    if (worker.wakeSignal) await waitFor(worker.wakeSignal, nextPauseMs, signal)
    else await pause(nextPauseMs, signal)
  }
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

async function waitFor(wakeSignal: WakeSignal, atMostMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  signal.addEventListener('abort', wakeSignal.wake, { once: true })
  await wakeSignal.wait(atMostMs)
  signal.removeEventListener('abort', wakeSignal.wake)
}
