// Every suite, one after the other, and one line over all of them. A suite that fails, or that runs nothing, fails the run.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = `${root}test/.results`
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', maxBuffer: 256 * 1024 * 1024, ...options })

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Each returns { passed, failed, skipped } and whether its process ended well. */
const suites = {
  /** Solidity, by forge: `{ "<file>:<contract>": { test_results: { "<name>": { status } } } }`. */
  contracts() {
    const forge = run('npm', ['run', '--silent', 'test:contracts', '-w', 'bff', '--', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const text = String(forge.stdout)
    const statuses = Object.values(JSON.parse(text.slice(text.indexOf('{')))).flatMap((contract) =>
      Object.entries(contract.test_results).map(([name, { status, reason }]) => {
        if (status === 'Failure') process.stdout.write(`FAILED ${name}: ${reason}\n`)
        return status
      }),
    )
    const count = (status) => statuses.filter((one) => one === status).length
    return { passed: count('Success'), failed: count('Failure'), skipped: count('Skipped'), isOk: forge.status === 0 }
  },
  /** The element, in a real browser. */
  widget() {
    const wtr = run('npm', ['test', '--silent', '-w', 'widget'])
    return { ...readJson(`${results}/widget.json`), isOk: wtr.status === 0 }
  },
  bff: () => vitest('bff'),
  demo: () => vitest('demo'),
  /** Stories that cross packages. */
  stories: () => vitest('test'),
}

function vitest(project) {
  const file = `${results}/${project}.json`
  const args = [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const { status } = run('npx', ['--no-install', ...args])
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readJson(file)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, isOk: status === 0 }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in suites))
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.\n`)
  process.exit(1)
}

for (const workspace of ['widget', 'bff']) {
  if (run('npm', ['run', '--silent', 'build', '-w', workspace]).status !== 0) process.exit(1)
}

const total = { passed: 0, failed: 0, skipped: 0 }
const bad = []
for (const name of wanted.length > 0 ? wanted : Object.keys(suites)) {
  const startedMs = Date.now()
  process.stdout.write(`\n— ${name}\n`)
  let result
  try {
    result = suites[name]()
  } catch (error) {
    process.stdout.write(`${name} left no result: ${error.message}\n`)
    result = { passed: 0, failed: 0, skipped: 0, isOk: false }
  }
  for (const key of Object.keys(total)) total[key] += result[key]
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  process.stdout.write(`${name}: ${result.passed} passed, ${result.failed} failed, ${seconds} s\n`)
  if (!result.isOk || result.passed === 0) bad.push(name)
}

// A suite that broke without a failing test must not look green in the last line.
total.failed += bad.length > 0 && total.failed === 0 ? bad.length : 0
if (bad.length > 0) process.stdout.write(`\nFailed, or ran nothing: ${bad.join(', ')}\n`)
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
)
process.exit(bad.length === 0 ? 0 : 1)
