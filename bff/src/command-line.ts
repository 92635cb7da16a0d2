import { isSea } from 'node:sea'
import { systemRuntime } from './core/runtime.ts'
import { calledAs } from './ops/cli/called-as.ts'
import { runCli } from './ops/cli/program.ts'
import { systemInput } from './ops/cli/terminal.ts'

/** Runs the command line of this process, with its terminal, environment and clock. */
export async function runCommandLine(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    env: () => process.env,
    folder: process.cwd(),
    input: systemInput(),
    program: calledAs({
      argv0: process.argv0,
      script: isSea() ? undefined : process.argv[1],
      folder: process.cwd(),
      env: process.env,
    }),
    runtime: systemRuntime,
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
  })
}
