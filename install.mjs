#!/usr/bin/env node
// Installs the dependencies when package-lock.json is newer than what is installed; does nothing when all is there.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node >= 20.19 is needed; this is ${process.versions.node}. See https://nodejs.org\n`)
  process.exit(1)
}

// npm writes this file last, so an install that was interrupted is done again.
const installed = `${root}node_modules/.package-lock.json`
const lock = `${root}package-lock.json`
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  process.stdout.write('Installing dependencies (about three minutes on a machine where SQLite must be compiled)…\n')
  // Not `npm ci`: it refuses a lockfile that lacks optional binaries of other platforms, and a registry need not have them all.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  process.exit(npm.status ?? 1)
}
