// Plants faults where money, rights, leases, budgets, sums and order are decided, one at a time, and runs the test that must
// notice each. `npm run faults` plants all, `npm run faults -- lease` those whose name or file has the word, `-- --from=100` those from the
// hundredth on, for a run that was ended; `--check` only says whether each can still be planted and its test still has the name.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { faults } from './faults.mjs'
import { plant } from './plant.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Of one file of tests on a busy machine. A fault that lets a loop run for ever counts as noticed after it. */
const testMs = 5 * 60_000

const args = process.argv.slice(2)
const words = args.filter((arg) => !arg.startsWith('--'))
const from = Number(args.find((arg) => arg.startsWith('--from='))?.slice('--from='.length) ?? 1)
const planned = faults
  .slice(from - 1)
  .filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)))

const broken = faults.flatMap((fault) => {
  try {
    if (!existsSync(root + fault.test)) return [`${fault.name}: there is no ${fault.test}`]
    plant(readFileSync(root + fault.file, 'utf8'), fault)
    return []
  } catch (error) {
    return [`${fault.name}: ${error.message}`]
  }
})
if (planned.length === 0) broken.push(`no fault has ${words.join(' and ')} in its name or file`)
if (broken.length > 0) {
  const what = 'Search the name in test/faults/*.mjs; where the code moved, write its `from` and `to` anew.'
  process.stderr.write(`faults that cannot be planted:\n  ${broken.join('\n  ')}\n${what}\n`)
  process.exit(1)
}

// Only what the tests write goes here; the faults themselves are never on disk.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'faults-'))
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
process.on('exit', () => {
  for (const child of running) kill(child)
  rmSync(folder, { recursive: true, force: true })
})

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** The last browser run, which the next one awaits. */
let browserRun = Promise.resolve()

/** Tests of the widget run in a browser. */
const isOfWidget = (file) => file.startsWith('widget/')

function vitestCommand(files, names) {
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const command = [
    `${root}node_modules/vitest/vitest.mjs`,
    'run',
    ...files,
    '--config',
    'test/faults/vitest.config.mjs',
  ]
  return [...command, '--reporter=json', '-t', pattern]
}

/** All tests of the files: they take seconds, most of which the browser needs to start. */
function browserCommand(files) {
  const command = [`${root}node_modules/@web/test-runner/dist/bin.js`, '--root-dir', root, '--config']
  return [...command, `${root}test/faults/wtr.config.mjs`, '--files', ...files.map((file) => root + file)]
}

/**
 * Runs the tests of `files` whose full name has one of `names`.
 * @param fault - What to plant, or null.
 * @returns the tests by file, each `{ fullName, status }`; or why there is no result: `{ error }`, `{ isEndless: true }`.
 */
async function runTests(files, names, fault) {
  const inBrowser = files.filter(isOfWidget)
  if (inBrowser.length === 0) return await runIn(vitestCommand(files, names), files, fault)
  // One browser at a time: two that start at once choose the same port.
  const running = browserRun.then(() => runIn(browserCommand(inBrowser), inBrowser, fault))
  browserRun = running
  const ofBrowser = await running
  const others = files.filter((file) => !isOfWidget(file))
  if (others.length === 0 || ofBrowser.byFile === undefined) return ofBrowser
  const ofOthers = await runIn(vitestCommand(others, names), others, fault)
  return ofOthers.byFile === undefined ? ofOthers : { byFile: new Map([...ofBrowser.byFile, ...ofOthers.byFile]) }
}

async function runIn(command, files, fault) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, FAULTS_RUNNER: '1', PLANTED_FAULT: JSON.stringify(fault) },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let isEndless = false
  const timer = setTimeout(() => {
    isEndless = true
    kill(child)
  }, testMs * files.length)
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  clearTimeout(timer)
  running.delete(child)
  if (isEndless) return { isEndless }
  const line = printed.split('\n').findLast((one) => one.startsWith('{"numTotalTestSuites"'))
  if (line === undefined) return { error: errors.trim() || printed.trim() }
  const results = JSON.parse(line).testResults
  const byFile = new Map(results.map(({ name, ...result }) => [name.slice(root.length), result]))
  return { byFile }
}

/** @returns the faults whose test file has no test of the name, a line each. Runs no test. */
async function findMissingTests() {
  const files = [...new Set(planned.map(({ test }) => test))].filter((file) => !isOfWidget(file))
  const list = join(folder, 'tests.json')
  const command = [
    `${root}node_modules/vitest/vitest.mjs`,
    'list',
    ...files,
    '--config',
    'test/faults/vitest.config.mjs',
  ]
  const child = spawn(process.execPath, [...command, `--json=${list}`], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, FAULTS_RUNNER: '1', PLANTED_FAULT: 'null' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  running.add(child)
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')])
  running.delete(child)
  if (!existsSync(list)) return [errors.trim()]
  const names = JSON.parse(readFileSync(list, 'utf8')).map(({ name, file }) => ({
    file: file.slice(root.length),
    fullName: name.replaceAll(' > ', ' '),
  }))
  const hasTest = ({ test, fails }) =>
    isOfWidget(test)
      ? readFileSync(root + test, 'utf8').includes(fails)
      : names.some(({ file, fullName }) => file === test && fullName.includes(fails))
  return planned.flatMap((fault) =>
    hasTest(fault) ? [] : [`${fault.name}: ${fault.test} has no test "${fault.fails}"`],
  )
}

/** @returns what is wrong with the named tests on the code as it is, a line each. */
async function judgeWithoutFaults() {
  const files = [...new Set(planned.map(({ test }) => test))]
  const { byFile, error = 'they did not end' } = await runTests(
    files,
    [...new Set(planned.map(({ fails }) => fails))],
    null,
  )
  if (byFile === undefined) return [error]
  return planned.flatMap(({ test, fails }) => {
    const { message = '', assertionResults = [] } = byFile.get(test) ?? {}
    const own = assertionResults.filter(({ fullName, status }) => fullName.includes(fails) && status !== 'skipped')
    if (own.length === 0) return [`${test} has no test "${fails}"${message && `: ${message}`}`]
    return own.flatMap(({ fullName, status }) => (status === 'passed' ? [] : [`${test}: ${status}: ${fullName}`]))
  })
}

/** @returns `killed`, `survived`, or a sentence that says why neither can be said. */
async function judge({ test, fails, ...fault }) {
  const { byFile, error, isEndless } = await runTests([test], [fails], fault)
  if (isEndless) return 'killed'
  if (error) return `broken: ${error.split('\n', 1)[0]}`
  const { message, assertionResults = [] } = byFile.get(test) ?? {}
  const own = assertionResults.filter(({ fullName, status }) => fullName.includes(fails) && status !== 'skipped')
  if (own.length === 0) return `broken: ${message || 'no test has this name'}`
  return own.some(({ status }) => status === 'failed') ? 'killed' : 'survived'
}

/** Works through `items`, a few at a time, in their order. */
async function each(items, work) {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
}

if (args.includes('--check')) {
  const missing = await findMissingTests()
  if (missing.length > 0) process.stderr.write(`faults without their test:\n  ${missing.join('\n  ')}\n`)
  process.exit(missing.length === 0 ? 0 : 1)
}

const startedMs = Date.now()
const bad = await judgeWithoutFaults()
if (bad.length > 0) {
  process.stdout.write(`Without any fault:\n  ${bad.join('\n  ')}\n`)
  process.exit(1)
}

const count = { killed: 0, survived: 0, broken: 0 }
await each(planned, async (fault) => {
  const verdict = await judge(fault)
  count[verdict in count ? verdict : 'broken']++
  process.stdout.write(`${verdict.padEnd(8)}  ${faults.indexOf(fault) + 1}. ${fault.name} (${fault.file})\n`)
})
if (count.broken > 0) process.stdout.write(`${count.broken} broken: their tests did not run\n`)
process.stdout.write(`all named tests pass without a fault; ${Math.round((Date.now() - startedMs) / 1000)} s\n`)
process.stdout.write(`${count.killed} killed, ${count.survived} survived\n`)
process.exit(count.survived + count.broken === 0 ? 0 : 1)
