#!/usr/bin/env node
import { systemRuntime } from './core/runtime.ts'
import { runCli } from './ops/cli/program.ts'
import { systemInput } from './ops/cli/terminal.ts'

// No `await` at the top: the file is also bundled for a binary, which cannot have one.
void runCli(process.argv.slice(2), {
  env: () => process.env,
  input: systemInput(),
  runtime: systemRuntime,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
}).then((exitCode) => {
  process.exitCode = exitCode
})
