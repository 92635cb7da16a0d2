// Every suite, and one line over all of them. A suite that fails, or that runs nothing, fails the run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = `${root}test/.results`
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

/** @param output - Where the program prints to: a file's descriptor, or `inherit`. @returns its exit code. */
async function run(command, args, output, env = process.env) {
  const [status] = await once(spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] }), 'exit')
  return status
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Deposits, refunds, late and unmatched money, other chains, reorgs, restarts. What dies at which commit, `replicas.test.ts` and `replica-deaths.test.ts` play there anyway. */
const storiesOnBoth = [
  'contract-payment',
  'cross-chain',
  'deposit',
  'expiry',
  'late',
  'refund',
  'reorg',
  'restart',
  'solana',
  'stray',
  'webhook-retry',
].map((name) => `test/${name}.test.ts`)

/** Each prints to `output` and returns { passed, failed, skipped, failures } and whether its process ended well. `failures`: a line each. */
const suites = {
  /** The element, in a real browser. */
  async widget(output) {
    const status = await run('npm', ['test', '--silent', '-w', 'widget'], output)
    return { ...readJson(`${results}/widget.json`), isOk: status === 0 }
  },
  demo: (output) => vitest(['demo'], output),
  /** Solidity, by forge: `{ "<file>:<contract>": { test_results: { "<name>": { status } } } }`. */
  async contracts(output) {
    const args = ['run', '--silent', 'test:contracts', '-w', 'bff', '--', '--json']
    const forge = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', output] })
    const [printed, [status]] = await Promise.all([text(forge.stdout), once(forge, 'exit')])
    const results = Object.values(JSON.parse(printed.slice(printed.indexOf('{'))))
    const tests = results.flatMap((contract) => Object.entries(contract.test_results))
    const count = (status) => tests.filter(([, test]) => test.status === status).length
    const failures = tests.flatMap(([name, test]) => (test.status === 'Failure' ? `${name}: ${test.reason}` : []))
    return {
      passed: count('Success'),
      failed: count('Failure'),
      skipped: count('Skipped'),
      failures,
      isOk: status === 0,
    }
  },
  /** Tests that open a database run on SQLite and on PostgreSQL. */
  bff: (output) => vitest(['bff', 'bff-postgres'], output),
  /** Stories that cross packages. */
  stories: (output) => vitest(['test'], output),
  /** Those of them again whose way through the database differs. `TEST_DATABASE=postgres` has all run there. */
  'stories-postgres': (output) => vitest(['test'], output, storiesOnBoth, 'postgres'),
}

/** Those of `widget` and `demo` build what the stories serve. The stories wait for chains and browsers, so another suite runs beside them. */
const rounds = [
  [['widget', 'demo'], ['contracts']],
  [['bff', 'stories-postgres'], ['stories']],
]

/** @param database - `postgres`: the tests of a project that otherwise run on SQLite. */
async function vitest(projects, output, files = [], database = undefined) {
  const file = `${results}/${[projects[0], database].filter(Boolean).join('-')}.json`
  const args = [
    'vitest',
    'run',
    ...files,
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const env = database === undefined ? process.env : { ...process.env, TEST_DATABASE: database }
  const status = await run('npx', ['--no-install', ...args], output, env)
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readJson(file)
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(failuresOf),
    isOk: status === 0,
  }
}

/** @param result - Of one file, as Vitest's JSON reporter writes it; `message` is of a file that did not run. */
function failuresOf({ name, message, assertionResults }) {
  const path = name.replace(root, '')
  const firstLine = (text) => text.split('\n', 1)[0]
  return [
    ...(message ? [`${path}: ${firstLine(message)}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${path}: ${fullName}: ${firstLine(failureMessages.join(' '))}`),
  ]
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in suites))
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.\n`)
  process.exit(1)
}

for (const workspace of ['widget', 'bff']) {
  if ((await run('npm', ['run', '--silent', 'build', '-w', workspace], 'inherit')) !== 0) process.exit(1)
}

const total = { passed: 0, failed: 0, skipped: 0 }
const bad = []
const failures = []

/** @param isShown - Whether its output is shown as it comes, and not when it has ended. */
async function runSuite(name, isShown) {
  const startedMs = Date.now()
  if (isShown) process.stdout.write(`\n— ${name}\n`)
  const log = `${results}/${name}.log`
  let result
  try {
    result = await suites[name](isShown ? 'inherit' : openSync(log, 'w'))
  } catch (error) {
    process.stdout.write(`${name} left no result: ${error.message}\n`)
    result = { passed: 0, failed: 0, skipped: 0, failures: [], isOk: false }
  }
  if (!isShown) {
    process.stdout.write(`\n— ${name}\n`)
    await pipeline(createReadStream(log), process.stdout, { end: false })
  }
  for (const key of Object.keys(total)) total[key] += result[key]
  failures.push(...result.failures)
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  process.stdout.write(`${name}: ${result.passed} passed, ${result.failed} failed, ${seconds} s\n`)
  if (!result.isOk || result.passed === 0) bad.push(name)
}

for (const lists of rounds) {
  const asked = lists.map((names) => names.filter((name) => wanted.length === 0 || wanted.includes(name)))
  const shown = asked.findIndex((names) => names.length > 0)
  await Promise.all(
    asked.map(async (names, place) => {
      for (const name of names) await runSuite(name, place === shown)
    }),
  )
}

// A suite that broke without a failing test must not look green in the last line.
total.failed += bad.length > 0 && total.failed === 0 ? bad.length : 0
if (bad.length > 0) {
  process.stdout.write(`\nFailed, or ran nothing: ${bad.join(', ')}\n${failures.map((line) => `  ${line}\n`).join('')}`)
}
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
)
process.exit(bad.length === 0 ? 0 : 1)
