import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { pause, runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import { pruneEvents } from './prune-store.ts'

const pauseMs = 60 * 60 * 1000
/** The pause after each commit, so that requests come first. */
const commitPauseMs = 50
/** Events in one commit, so that no request waits long for it. */
const eventsMax = 200
/** Commits in one pass: with a pass every `pauseMs`, enough for 200 events a second. */
const commitsMax = 3_600

const dayMs = 24 * 60 * 60 * 1000

type Deps = { db: Db; runtime: Runtime; log: Log; keepDays: number }

/** Deletes events and deliveries older than `keepDays`; payments are kept for good. Never rejects. */
export function runPruning({ db, runtime, log, keepDays }: Deps, signal: AbortSignal): Promise<void> {
  async function pass(): Promise<boolean> {
    const beforeMs = runtime.nowMs() - keepDays * dayMs
    let events = 0
    for (let commit = 0; commit < commitsMax && !signal.aborted; commit++) {
      const pruned = await db.write((tx) => pruneEvents(tx, beforeMs, eventsMax))
      if (pruned === 0) break
      events += pruned
      await pause(commitPauseMs, signal)
    }
    if (events > 0) log.info({ events, keepDays }, 'Deleted old webhook events')
    return false
  }
  return runWorker(
    {
      pauseMs,
      pass,
      onFailure: ({ error }) => log.warn({ err: error }, 'Deleting old webhook events failed; retrying'),
    },
    signal,
  )
}
