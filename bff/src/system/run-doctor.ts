import { execFile } from 'node:child_process'
import { isSea } from 'node:sea'
import { PaymentError } from '../core/errors.ts'
import type { Finding } from '../core/finding.ts'

/** Longer than the checks of a hanging node take. */
const timeoutMs = 90_000

/** The longest output of the command: enough for some hundred networks. */
const outputBytesMax = 4_000_000

/** How long findings are cached. */
const keptMs = 30_000

export type DoctorRun = { atMs: number; findings: Finding[] }

/** How to start the service's command line. The command's own arguments follow `args`. */
export type CommandLine = { file: string; args: readonly string[] }

/** The running program. */
const commandLineOfProcess = (): CommandLine => ({
  file: process.execPath,
  args: [...process.execArgv, ...(isSea() ? [] : process.argv.slice(1, 2))],
})

/**
 * Runs the command `doctor` in its own process, because its database checks would block payments.
 * Concurrent requests share one run. Posts nothing to webhook endpoints.
 * @param env - The environment that started the service, with the name of its configuration.
 */
export function createDoctor(
  env: NodeJS.ProcessEnv,
  { nowMs }: { nowMs: () => number },
  commandLine = commandLineOfProcess(),
): () => Promise<DoctorRun> {
  let last: DoctorRun | undefined
  let running: Promise<DoctorRun> | undefined
  return async () => {
    const atMs = nowMs()
    if (last && atMs >= last.atMs && atMs < last.atMs + keptMs) return last
    running ??= runCommand(env, commandLine)
      .then((findings) => {
        last = { atMs, findings }
        return last
      })
      .finally(() => {
        running = undefined
      })
    return await running
  }
}

function runCommand(env: NodeJS.ProcessEnv, { file, args }: CommandLine): Promise<Finding[]> {
  const options = { env, timeout: timeoutMs, maxBuffer: outputBytesMax }
  return new Promise((resolve, reject) => {
    // The command exits with 1 when something is bad, and still prints its findings.
    execFile(file, [...args, 'doctor', '--no-webhooks', '--json'], options, (_, stdout) => {
      try {
        resolve((JSON.parse(stdout) as { findings: Finding[] }).findings)
      } catch {
        const message = 'The checks did not finish. Run "stablecoin-checkout doctor" on the machine of the service.'
        reject(new PaymentError('DOCTOR_FAILED', message))
      }
    })
  })
}
