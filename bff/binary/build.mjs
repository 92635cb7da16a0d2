// Makes one executable of the service: Node itself, the bundle, the SQLite addon, migrations, logos and element.
// Everything comes from what npm installed or this repository holds; nothing is downloaded. On macOS the
// executable is signed anew, because Node's own signature does not cover what is added to it.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'postject'
import { rolldown } from 'rolldown'
import { licensesOfBundled } from '../rolldown.config.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)
const output = process.argv[2] ?? join(root, 'bff/dist/stablecoin-checkout')
const work = `${output}.parts`

/** The long-term release that the binary carries, whoever builds it: https://nodejs.org/en/about/previous-releases */
const carried = 24

/** What Node looks for in itself: https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * What libraries use where it is installed, and we have not: they look for it in a `try`, and a binary that looks for a file
 * beside itself says so on the terminal.
 */
const absent = new Set(['encoding', 'bufferutil', 'utf-8-validate'])

const optional = {
  name: 'optional',
  resolveId: (id) => (absent.has(id) ? `\0absent:${id}` : null),
  load: (id) => (id.startsWith('\0absent:') ? 'module.exports = {}' : null),
}

const isMacOs = process.platform === 'darwin'
if (!isMacOs && process.platform !== 'linux')
  fail('The binary is built on Linux and macOS, each for itself. Elsewhere use npm start or the Dockerfile.')
// Before the minute of work that would be in vain.
if (Number.parseInt(process.versions.node, 10) !== carried)
  fail(`The binary carries the Node that builds it, which is to be Node ${carried}; this is ${process.versions.node}.`)
if (!readFileSync(process.execPath).includes(fuse)) {
  fail(
    `${process.execPath} cannot carry a program (its engine is in a shared library). Build with a Node from nodejs.org.`,
  )
}

rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
try {
  const bundle = await rolldown({
    input: join(root, 'bff/src/main.ts'),
    platform: 'node',
    plugins: [optional, licensesOfBundled(join(work, 'licenses.txt'))],
    // The release that the binary carries never needs the other version.
    resolve: { alias: { 'better-sqlite3-12': require.resolve('better-sqlite3') } },
    logLevel: 'silent',
  })
  await bundle.write({ file: join(work, 'main.cjs'), format: 'cjs', codeSplitting: false, minify: 'dce-only' })

  const assets = {
    ...folder('migrations', join(root, 'bff/src/db/migrations'), /^\d{4}_.+\.sql$/),
    ...folder('network-logos', join(root, 'bff/src/logos/networks'), /\.svg$/),
    ...folder('token-logos', join(root, 'bff/src/logos/tokens'), /\.svg$/),
    ...folder('element', join(root, 'widget/dist'), /\.m?js$/),
    ...folder('dashboard', join(root, 'bff/dist/dashboard'), /\.html$/),
    ...folder('dashboard/assets', join(root, 'bff/dist/dashboard/assets'), /./),
    'better_sqlite3.node': sqliteAddon(),
  }
  if (!('dashboard/index.html' in assets)) fail('The dashboard is not built: npm run build -w bff.')
  if (!('element/stablecoin-checkout.js' in assets)) fail('The element is not built: npm run build -w widget.')
  const index = join(work, 'index.json')
  writeFileSync(index, JSON.stringify(Object.keys(assets)))
  const blob = join(work, 'blob')
  writeFileSync(
    join(work, 'sea.json'),
    JSON.stringify({
      main: join(work, 'main.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { ...assets, 'index.json': index },
    }),
  )
  const made = spawnSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], { encoding: 'utf8' })
  if (made.status !== 0) fail(`Node could not pack the program:\n${made.stderr}`)

  const draft = join(work, 'executable')
  copyFileSync(process.execPath, draft)
  chmodSync(draft, 0o755)
  if (isMacOs) codesign('--remove-signature', draft)
  const segment = isMacOs ? { machoSegmentName: 'NODE_SEA' } : {}
  await inject(draft, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse, ...segment })
  if (isMacOs) codesign('--sign', '-', draft)
  writeFileSync(`${output}.licenses.txt`, licenses())
  renameSync(draft, output)
  process.stdout.write(`${output}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The licences of all that is in the executable but Node, whose own are at https://github.com/nodejs/node/blob/main/LICENSE. */
function licenses() {
  const sqlite = join(dirname(require.resolve('better-sqlite3/package.json')), 'LICENSE')
  const ofPages = ['widget/dist', 'bff/dist/dashboard'].map((path) => join(root, path, 'THIRD-PARTY-LICENSES.md'))
  const files = [join(root, 'LICENSE'), join(work, 'licenses.txt'), ...ofPages, sqlite]
  return files.map((file) => readFileSync(file, 'utf8')).join('\n---\n\n')
}

/** The addon for this machine, of those that the package holds. */
function sqliteAddon() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  const builds = join(dirname(require.resolve('better-sqlite3/package.json')), 'prebuilds')
  return join(builds, `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}.node`)
}

/** @returns {Record<string, string>} asset name to path. */
function folder(kind, path, pattern) {
  return Object.fromEntries(
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map(({ name }) => [`${kind}/${name}`, join(path, name)]),
  )
}

function codesign(...args) {
  const { status, stderr } = spawnSync('codesign', args, { encoding: 'utf8' })
  if (status !== 0) fail(`codesign failed:\n${stderr}`)
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
