import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { logTail } from './log-file.ts'
import type { Supervisor } from './supervisor.ts'

/** A cold start on a busy laptop takes a few seconds. */
const answerWithinMs = 60_000
/** A part that dies this often before its first response will not come up. */
const deathsMax = 3

/** Thrown when the demo is stopped during its start. */
export class StoppedError extends Error {}

type Awaited = { name: string; logPath: string; supervisor: Supervisor; signal: AbortSignal }

/**
 * Waits until a part is up.
 * @throws {Error} with the end of its log when it fails to start.
 */
export async function untilUp(isUp: () => Promise<boolean> | boolean, awaited: Awaited): Promise<void> {
  const { name, logPath, supervisor, signal } = awaited
  const deadlineMs = Date.now() + answerWithinMs
  for (;;) {
    if (signal.aborted) throw new StoppedError('Stopped.')
    if (await isUp()) return
    if (supervisor.deaths(name) >= deathsMax || Date.now() > deadlineMs) {
      throw new Error(`The ${name} failed to start. The end of ${logPath}:\n${logTail(logPath)}`)
    }
    await sleep(50)
  }
}

/** `untilUp` for a part with a URL. */
export const untilAnswers = (url: string, awaited: Awaited): Promise<void> =>
  untilUp(async () => {
    const response = await withTimeout(1_000, [], (signal) => fetch(url, { signal })).catch(() => null)
    return response?.ok === true
  }, awaited)
