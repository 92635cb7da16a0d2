import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { pruneEvents } from './prune-store.ts'

const everyMs = 60 * 60 * 1000
/** After a commit: what is forgotten can wait, requests cannot. */
const pauseMs = 50
/** Events per commit, so that nobody waits long behind it. */
const eventsMax = 200
/** Commits of one pass: with `everyMs`, 200 events a second can be forgotten for good. */
const commitsMax = 3_600

const dayMs = 24 * 60 * 60 * 1000

type Deps = { db: Db; runtime: Runtime; log: Log; keepDays: number }

/** Forgets events and deliveries that are older than `keepDays`; payments are kept for good. Never rejects. */
export async function runPruning({ db, runtime, log, keepDays }: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const beforeMs = runtime.nowMs() - keepDays * dayMs
      let events = 0
      for (let commit = 0; commit < commitsMax && !signal.aborted; commit++) {
        const pruned = await db.write((tx) => pruneEvents(tx, beforeMs, eventsMax))
        if (pruned === 0) break
        events += pruned
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      }
      if (events > 0) log.info({ events, keepDays }, 'old webhook events were forgotten')
    } catch (error) {
      log.warn({ err: error }, 'old webhook events could not be forgotten')
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
