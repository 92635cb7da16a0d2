#!/usr/bin/env node
import { runCli } from './cli/program.ts'
import { systemInput } from './cli/terminal.ts'
import { systemRuntime } from './runtime.ts'

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
