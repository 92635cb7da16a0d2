// Types, format and lint, unused code, sizes: everything that needs no chain and no browser.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {[string, string[]][]} */
const steps = [
  ['types: bff', ['tsc', '-p', 'bff']],
  ['types: dashboard', ['tsc', '-p', 'bff/dashboard']],
  ['types: client', ['tsc', '-p', 'bff/clients/node']],
  ['types: widget', ['tsc', '-p', 'widget']],
  ['types: demo', ['tsc', '-p', 'demo']],
  ['types: examples', ['tsc', '-p', 'demo/examples']],
  ['types: test', ['tsc', '-p', 'test']],
  ['format, lint', ['biome', 'check', '--error-on-warnings', '.']],
  [
    "order of the modules, documents and mutation areas name what exists, the client's types are the service's",
    ['vitest', 'run', '--project', 'rules'],
  ],
  ['unused files, exports, dependencies', ['knip']],
  ['faults that npm run faults plants', ['node', 'test/faults/run.mjs', '--check']],
  ["the element's description is its source's", ['node', 'widget/describe.mjs', '--check']],
  ['folders that npm test -- --changed names', ['node', 'test/changed.mjs', '--check']],
  ['contracts compile to what is committed', ['node', 'bff/contracts/compile.mjs', '--check']],
  ['build: widget', ['npm', 'run', '--silent', 'build', '-w', 'widget']],
  ['build: bff', ['npm', 'run', '--silent', 'build', '-w', 'bff']],
  ['build: client', ['npm', 'run', '--silent', 'build', '-w', 'bff/clients/node']],
  ['sizes', ['size-limit']],
]

const failed = []
for (const [name, [command, ...args]] of steps) {
  const isOwn = command === 'node' || command === 'npm'
  const bin = isOwn ? command : `${root}node_modules/.bin/${command}`
  process.stdout.write(`\n— ${name}\n`)
  const { status } = spawnSync(bin, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}
process.stdout.write(failed.length === 0 ? '\ncheck: all good\n' : `\ncheck failed: ${failed.join('; ')}\n`)
process.exit(failed.length === 0 ? 0 : 1)
