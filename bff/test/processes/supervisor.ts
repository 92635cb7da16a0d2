import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLog } from './log-file.ts'

export type Command = {
  file: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** User and group to run as; default: this process's. */
  uid?: number
  gid?: number
}

/** A supervised process. */
export type Part = {
  name: string
  /** Called before each start, so that a restarted part can get its earlier state. */
  command: () => Command
  /** Its output file; without it the output is dropped. */
  logPath?: string
  /** Called with each line of its output. */
  onLine?: (line: string) => void
}

export type Supervisor = {
  /** Starts a part and keeps it running until `stop`. Resolves once it has a process id. */
  start(part: Part): Promise<void>
  /** Current process ids by name. */
  pids(): Record<string, number>
  /** How often the part has died since its first start. */
  deaths(name: string): number
  /** Ends all parts in reverse order of start: SIGTERM, then SIGKILL after `patienceMs`. Nothing runs afterwards. */
  stop(): Promise<void>
}

export type SupervisorOptions = {
  /** Called after every change of the ids. */
  onPids?: (pids: Record<string, number>) => void
  /** Called with one sentence when a part died and is restarted. */
  report?: (sentence: string) => void
  patienceMs?: number
}

/** A program that ends processes when their starter is gone. */
const reaperPath = fileURLToPath(new URL('./reaper.mjs', import.meta.url))

/** A part that lived this long was up: its next death counts as the first again. */
const upAfterMs = 5_000
/** Consecutive quick deaths that restart without delay; a manual `kill -9` never meets the back-off. */
const quickDeathsFree = 3
const restartDelayMs = 100
const restartDelayMsMax = 30_000

/** Keeps processes running. If this process is killed, a helper ends them (`reaper.mjs`). */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const { onPids = () => {}, report = () => {}, patienceMs = 10_000 } = options
  const kept = new Map<string, Kept>()
  const stopping = new AbortController()
  const pids = () => {
    const entries = [...kept].flatMap(([name, { child }]) => (child?.pid === undefined ? [] : [[name, child.pid]]))
    return Object.fromEntries(entries) as Record<string, number>
  }

  const changed = () => {
    reapAfterUs(pids, Object.values(pids()))
    onPids(pids())
  }

  async function keep(part: Part, state: Kept, started: () => void) {
    let quickDeaths = 0
    while (!stopping.signal.aborted) {
      const bornAtMs = Date.now()
      const child = launch(part)
      const end = ended(child)
      if (child.pid !== undefined) {
        state.child = child
        changed()
      }
      started()
      const how = await end
      state.child = null
      if (stopping.signal.aborted) break
      state.deaths += 1
      quickDeaths = Date.now() - bornAtMs > upAfterMs ? 1 : quickDeaths + 1
      const delayMs = delayAfter(quickDeaths)
      const when = delayMs >= 1_000 ? `in ${Math.round(delayMs / 1_000)} s` : 'again'
      report(`${part.name} ended (${how}); starting it ${when}.`)
      changed()
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    state.child = null
  }

  return {
    pids,
    deaths: (name) => kept.get(name)?.deaths ?? 0,
    async start(part) {
      if (stopping.signal.aborted) throw new Error(`${part.name} was not started: the supervisor has stopped.`)
      if (kept.has(part.name)) throw new Error(`${part.name} is already running.`)
      const state: Kept = { child: null, deaths: 0, done: Promise.resolve() }
      kept.set(part.name, state)
      await new Promise<void>((started) => {
        state.done = keep(part, state, started)
      })
    },
    async stop() {
      stopping.abort()
      for (const state of [...kept.values()].reverse()) await endPart(state, patienceMs)
      kept.clear()
      reapAfterUs(pids, [])
    },
  }
}

type Kept = { child: ChildProcess | null; deaths: number; done: Promise<void> }

function delayAfter(quickDeaths: number): number {
  const doublings = Math.max(0, quickDeaths - quickDeathsFree)
  return Math.min(restartDelayMs * 2 ** doublings, restartDelayMsMax)
}

function launch(part: Part): ChildProcess {
  const { file, args, env, uid, gid } = part.command()
  // A separate process group: Ctrl-C in the terminal reaches only the supervisor, which then ends its parts in order.
  const child = spawn(file, args, {
    detached: true,
    windowsHide: true,
    env: { ...process.env, ...env },
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = part.logPath === undefined ? null : openLog(part.logPath)
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      log?.write(`${line}\n`)
      part.onLine?.(line)
    })
  }
  return child
}

/** How the child ended, in words. Never rejects. */
const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      // An error without a process is a failed start; others (a failed signal) do not end the child.
      if (child.pid === undefined) resolve(error.message)
    })
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal))
  })

async function endPart(state: Kept, patienceMs: number) {
  const child = state.child
  if (child !== null) {
    child.kill('SIGTERM')
    const patience = new AbortController()
    const lost = sleep(patienceMs, undefined, { signal: patience.signal }).then(
      () => child.kill('SIGKILL'),
      () => {},
    )
    await state.done
    patience.abort()
    await lost
  }
  await state.done
}

let reaper: ChildProcess | null = null

/** Process ids by asker, in order of start. */
const toReap = new Map<unknown, readonly number[]>()

/** Makes this process's reaper, shared by all its supervisors, end these processes too when this process is gone. */
export function reapAfterUs(asker: unknown, pids: readonly number[]): void {
  if (pids.length === 0) toReap.delete(asker)
  else toReap.set(asker, pids)
  // A killed reaper is restarted at the next change.
  if (reaper === null || reaper.exitCode !== null || reaper.signalCode !== null) reaper = startReaper()
  reaper.stdin?.write(`${JSON.stringify([...toReap.values()].flat())}\n`)
}

/** Ends with this process, which does not wait for it. Starting one takes 0.2 s of processor time. */
function startReaper(): ChildProcess {
  const child = spawn(process.execPath, [reaperPath], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A write to a killed reaper must not end the supervisor.
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket | null)?.unref()
  return child
}
