import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { reapAfterUs } from '@stablecoin-checkout/rig/processes/supervisor'

/** Time for a service to end normally before the test kills it. */
const patienceMs = 25_000

export type Launch = {
  file?: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Working directory; default: this process's. */
  cwd?: string
  /** File to which its output is appended. */
  logPath: string
  onLine?: (line: string) => void
}

export type Started = {
  /** Undefined while it runs. */
  exitCode(): number | null | undefined
  /** SIGTERM, then waits. @returns the exit code; null if it had to be killed. */
  stop(): Promise<number | null>
  /** SIGKILL: it cannot finish anything. */
  kill(): Promise<void>
  /** Whether it was stopped by SIGSTOP or an equivalent. */
  isStopped(): boolean
  /** Continues it. */
  resume(): void
}

const alive = new Set<number>()

/** Ends the processes if this worker is killed before it could. */
const tellReaper = () => reapAfterUs(alive, [...alive])

export function launch({
  file = process.execPath,
  args,
  env,
  cwd,
  logPath,
  onLine,
}: Launch): Started & { pid: number } {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} could not be started`)
  alive.add(pid)
  tellReaper()
  const ended = once(child, 'close').then(() => {
    alive.delete(pid)
    tellReaper()
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      appendFileSync(logPath, `${line}\n`)
      onLine?.(line)
    })
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid,
    exitCode: () => (hasEnded() ? child.exitCode : undefined),
    async stop() {
      if (!hasEnded()) child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      await ended
      clearTimeout(timer)
      return child.exitCode
    },
    async kill() {
      if (!hasEnded()) child.kill('SIGKILL')
      await ended
    },
    isStopped: () => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T'),
    resume: () => void process.kill(pid, 'SIGCONT'),
  }
}
