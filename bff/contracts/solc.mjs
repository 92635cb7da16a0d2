#!/usr/bin/env node
// forge wants a solc program of its own; this gives it the compiler that npm installed, so that it need not download one.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  // forge reads the platform from the version and does not know Emscripten.
  process.stdout.write(
    `solc, the solidity compiler\nVersion: ${solc.version().replace('Emscripten.clang', 'Linux.g++')}\n`,
  )
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
}
