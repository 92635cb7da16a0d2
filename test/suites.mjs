// What each suite runs, and what its results say.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runMeasured } from './measured.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const results = `${root}test/.results`

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Stories whose way through PostgreSQL is not that of the replicas' stories, which pay, sweep, refund, bridge and die there anyway. `NIGHTLY=1`
 * runs all.
 */
const storiesOnBoth = ['deposit', 'refund', 'reorg', 'restart', 'unmatched', 'webhook-retry'].map(
  (name) => `test/${name}.test.ts`,
)

/** Stories that wait for leases to end, a third of the time of all. They have a suite of their own, which runs beside the others. */
const storiesOfReplicas = ['replicas', 'replica-deaths', 'replica-takeovers', 'signals'].map(
  (name) => `test/${name}.test.ts`,
)

// Vitest passes over the name of a file that is not there.
const gone = [...storiesOnBoth, ...storiesOfReplicas].filter((file) => !existsSync(`${root}${file}`))
if (gone.length > 0) throw new Error(`test/suites.mjs names what is no story: ${gone.join(', ')}.`)

/** Stories in a browser. They have chains of their own, so that they run beside the others. */
const storiesOfBrowser = readdirSync(`${root}test`)
  .filter((name) => name.endsWith('.e2e.test.ts'))
  .map((name) => `test/${name}`)

const isNightly = process.env.NIGHTLY === '1'

/** `QUICK=1` leaves out stories of the night (`vitest.config.ts`), which by their name alone run at any time. */
const storyEnv = isNightly ? {} : { QUICK: '1' }

/** Each prints to `output` and returns { passed, failed, skipped, failures, isOk, wallMs, cpuMs }. `failures`: a line each. */
export const suites = {
  /** The element, in a real browser. */
  async widget(output) {
    const args = ['--no-install', 'wtr', '--config', 'web-test-runner.config.mjs']
    const measured = await runMeasured('npx', args, { cwd: `${root}widget`, env: process.env, output })
    return { ...readJson(`${results}/widget.json`), ...measured, isOk: measured.status === 0 }
  },
  demo: (output) => vitest(['demo'], output),
  /** Solidity, by forge: `{ "<file>:<contract>": { test_results: { "<name>": { status } } } }`. */
  async contracts(output) {
    const args = ['run', '--silent', 'test:contracts', '-w', 'bff', '--', '--json']
    const measured = await runMeasured('npm', args, { cwd: root, env: process.env, output: 'pipe', errors: output })
    const { printed, status } = measured
    const contracts = Object.values(JSON.parse(printed.slice(printed.indexOf('{'))))
    const tests = contracts.flatMap((contract) => Object.entries(contract.test_results))
    const count = (wanted) => tests.filter(([, test]) => test.status === wanted).length
    const failures = tests.flatMap(([name, test]) => (test.status === 'Failure' ? `${name}: ${test.reason}` : []))
    return {
      ...measured,
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
  stories(output) {
    const leftOut = [...storiesOfBrowser, ...storiesOfReplicas].join(',')
    return vitest(['test'], output, [], { ...storyEnv, STORIES_LEFT_OUT: leftOut })
  },
  'stories-browser': (output) => vitest(['test'], output, storiesOfBrowser, { ...storyEnv, RESULTS: 'browser' }),
  /** Those of several replicas on one database. */
  'stories-replicas': (output) => vitest(['test'], output, storiesOfReplicas, { ...storyEnv, RESULTS: 'replicas' }),
  /** Those of them again whose way through the database differs. `TEST_DATABASE=postgres` has all run there. */
  'stories-postgres': (output) =>
    vitest(['test'], output, isNightly ? [] : storiesOnBoth, { ...storyEnv, TEST_DATABASE: 'postgres' }),
}

/** @param output - Where the program prints to: a file's descriptor, or `inherit`. */
const run = (command, args, output, env = {}) =>
  runMeasured(command, args, { cwd: root, env: { ...process.env, ...env }, output })

/** @param env - Beside that of this process; `RESULTS` names one of several runs of a project. `args`: of Vitest. */
export async function vitest(projects, output, files = [], env = {}, args = []) {
  const file = `${results}/${[projects[0], env.TEST_DATABASE, env.RESULTS].filter(Boolean).join('-')}.json`
  const all = [
    ...[`${root}node_modules/vitest/vitest.mjs`, 'run', ...files],
    ...projects.flatMap((project) => ['--project', project]),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
  ]
  // Without `npx`, which takes half a second of work before it starts a program.
  const measured = await run(process.execPath, all, output, env)
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readJson(file)
  return {
    ...measured,
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(failuresOf),
    isOk: measured.status === 0,
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
