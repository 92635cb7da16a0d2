// Runs a program, and says how long it took by the clock, and how much processor time it and all that it started took.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The shell says with `times` what it and its children took: Node says it of itself alone. */
const script = '"$@"; status=$?; times >&3; exit $status'

/**
 * @param options - `cwd` and `env`; `output`: where the program prints to, a file's descriptor, `inherit`, or `pipe` for `printed`.
 * @returns its exit code, `wallMs`, `cpuMs`, and what it has `printed` where that was asked for. What was killed and left to nobody is not counted.
 */
export async function runMeasured(command, args, { cwd, env, output, errors = output }) {
  const startedMs = Date.now()
  const shell = spawn('sh', ['-c', script, 'sh', command, ...args], {
    cwd,
    env,
    stdio: ['ignore', output, errors, 'pipe'],
  })
  const [times, printed, [status]] = await Promise.all([
    text(shell.stdio[3]),
    shell.stdout ? text(shell.stdout) : undefined,
    once(shell, 'exit'),
  ])
  return { status, printed, wallMs: Date.now() - startedMs, cpuMs: cpuMsOf(times) }
}

/** @param times - `0m1.25s 0m0.50s` in each of two lines: of the shell and of its children, user and system. */
function cpuMsOf(times) {
  const parts = [...times.matchAll(/(\d+)m([\d.,]+)s/g)]
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds.replace(',', '.')) * 1_000,
    0,
  )
}
