import { appendFileSync } from 'node:fs'
import { loadConfig, runCli, serve } from '@stablecoin-checkout/bff'
import { systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase, openHeartbeats } from '@stablecoin-checkout/bff/testing/db'
import type { Program } from './bff.ts'
import { Life, mortalDb, mortalHeartbeats } from './life.ts'
import type { Launch, Started } from './process.ts'
import { leaseTimesOf, openStriker, strikingDb, strikingHeartbeats, type Trouble } from './striking-db.ts'

/** Longer than the service waits for its own work when it stops. */
const patienceMs = 25_000

type Closable = { close(): Promise<void> }

/**
 * Starts the whole service in this process, in a tenth of the time of a separate process. It can be killed and stopped like one
 * (`Life`), and rejects writes of a worker without its lease.
 * @param commandLine - The commands that the service runs as processes.
 */
export function launchInPlace(
  { env, logPath, onLine }: Omit<Launch, 'file' | 'args'>,
  commandLine: Program,
  trouble: Trouble,
): Started {
  const life = new Life()
  const { failpoint, aheadMs = 0, leaseMs } = trouble
  const opened: Closable[] = []
  let exitCode: number | null | undefined
  let dying: Promise<void> | undefined

  /** Dies immediately; ends once nothing of it is left in the database. */
  function die(): Promise<void> {
    life.die()
    dying ??= (async () => {
      await closeAll()
      exitCode ??= null
    })()
    return dying
  }
  const striker = openStriker(failpoint, (signal) => void (signal === 'SIGSTOP' ? life.stop() : die()))
  const opening = <Opened extends Closable>(one: Opened): Opened => {
    opened.push(one)
    // Killed while opening.
    if (life.isDead) void one.close()
    return one
  }
  const closeAll = () => Promise.allSettled(opened.map((one) => one.close()))
  const line = (text: string) => {
    if (life.isDead) return
    appendFileSync(logPath, `${text}\n`)
    onLine?.(text)
  }

  const whole = { ...process.env, ...env }
  const running = life.run(async () =>
    serve(
      loadConfig(whole),
      { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs },
      {
        open: async (...database) =>
          // Once below the striking layer, for uncommitted work, and once above it, for callers that would learn of the commit.
          mortalDb(strikingDb(mortalDb(opening(await openDatabase(...database)), life), striker), life),
        openHeartbeats: (url) =>
          mortalHeartbeats(strikingHeartbeats(mortalHeartbeats(opening(openHeartbeats(url)), life), striker), life),
        leaseTimes: leaseMs === undefined ? undefined : leaseTimesOf(leaseMs),
        env: whole,
        commandLine,
        logTo: { write: (text) => line(text.trimEnd()) },
      },
    ),
  )
  running.catch(async (error: Error) => {
    line(error.message)
    await closeAll()
    exitCode = 1
  })

  return {
    exitCode: () => exitCode,
    async stop() {
      if (exitCode !== undefined || dying) return exitCode ?? null
      const late = setTimeout(() => void die(), patienceMs)
      try {
        await (await running).stop()
        exitCode ??= 0
      } finally {
        clearTimeout(late)
      }
      return exitCode
    },
    async kill() {
      if (exitCode === undefined) await die()
    },
    isStopped: () => life.isStopped,
    resume: () => life.resume(),
  }
}

/** Runs a command line in this process. @param input - Piped into it. */
export async function runInPlace(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
  const printed = { stdout: '', stderr: '' }
  const lines = input.split('\n')
  const exitCode: number | null = await runCli(args, {
    env: () => ({ ...process.env, ...env }),
    input: {
      isTerminal: false,
      ask: async (question) => {
        printed.stderr += question
        return (lines.shift() ?? '').trim()
      },
      readAll: async () => input.trim(),
    },
    folder: process.cwd(),
    program: { command: 'checkout', start: null },
    runtime: systemRuntime,
    write(text) {
      printed.stdout += text
    },
    writeError(text) {
      printed.stderr += text
    },
  })
  return { exitCode, ...printed }
}
