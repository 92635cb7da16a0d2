import { systemRuntime } from './core/runtime.ts'
import { runCli } from './ops/cli/program.ts'
import { systemInput } from './ops/cli/terminal.ts'

/** Runs the command line of this process, with its terminal, environment and clock. */
export async function runCommandLine(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    env: () => process.env,
    folder: process.cwd(),
    input: systemInput(),
    runtime: systemRuntime,
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
  })
}
