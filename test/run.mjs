// Every suite, and a line for each over all of them. A suite that fails, or that runs nothing, fails the run.
// `npm test -- stories` runs one; `npm test -- --changed` what a change since the last commit can break, `--changed main` since then.
import { createReadStream, mkdirSync, openSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { buildWhatIsOld } from '../demo/build.mjs'
import { suitesOfChange } from './changed.mjs'
import { results, suites } from './suites.mjs'

/** Files of tests run in its order (`seeded-order.ts`). */
process.env.TEST_SEED ??= process.env.NIGHTLY === '1' ? String(Date.now()) : '1'

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

/** Lists that run beside each other and end together, on two processors: stories wait for chains, browsers and leases most of their time. */
const lists = [
  ['bff', 'contracts', 'widget', 'demo'],
  ['stories', 'stories-postgres', 'stories-replicas'],
  ['stories-browser'],
]

const args = process.argv.slice(2)
const isOfChange = args[0] === '--changed'
const wanted = isOfChange ? [] : args
const unknown = wanted.filter((name) => !(name in suites))
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.\n`)
  process.exit(1)
}

buildWhatIsOld((text) => process.stdout.write(`${text}\n`))

const total = { passed: 0, failed: 0, skipped: 0 }
const bad = []
const failures = []
const figures = []

const inSeconds = (ms) => `${Math.round(ms / 1000)} s`

/** @param isShown - Whether its output is shown as it comes, and not when it has ended. */
async function runSuite(name, suite, isShown) {
  const startedMs = Date.now()
  if (isShown) process.stdout.write(`\n— ${name}\n`)
  const log = `${results}/${name}.log`
  let result
  try {
    result = await suite(isShown ? 'inherit' : openSync(log, 'w'))
  } catch (error) {
    process.stdout.write(`${name} left no result: ${error.message}\n`)
    result = { passed: 0, failed: 0, skipped: 0, failures: [], isOk: false, wallMs: Date.now() - startedMs, cpuMs: 0 }
  }
  if (!isShown) {
    process.stdout.write(`\n— ${name}\n`)
    await pipeline(createReadStream(log), process.stdout, { end: false })
  }
  for (const key of Object.keys(total)) total[key] += result[key]
  failures.push(...result.failures)
  const { passed, failed, wallMs, cpuMs } = result
  const line = `${name}: ${passed} passed, ${failed} failed, ${inSeconds(wallMs)}, ${inSeconds(cpuMs)} of processor time`
  figures.push(line)
  process.stdout.write(`${line}\n`)
  // A change may have nothing in a suite.
  if (!result.isOk || (passed === 0 && !isOfChange)) bad.push(name)
}

const startedMs = Date.now()
if (isOfChange) {
  for (const [name, suite] of suitesOfChange(args[1])) await runSuite(name, suite, true)
} else {
  const asked = lists.map((names) => names.filter((name) => wanted.length === 0 || wanted.includes(name)))
  const shown = asked.findIndex((names) => names.length > 0)
  await Promise.all(
    asked.map(async (names, place) => {
      for (const name of names) await runSuite(name, suites[name], place === shown)
    }),
  )
}

// A suite that broke without a failing test must not look green in the last line.
total.failed += bad.length > 0 && total.failed === 0 ? bad.length : 0
if (bad.length > 0) {
  process.stdout.write(`\nFailed, or ran nothing: ${bad.join(', ')}\n${failures.map((line) => `  ${line}\n`).join('')}`)
}
process.stdout.write(`\n${figures.map((line) => `  ${line}\n`).join('')}`)
process.stdout.write(
  `  in all ${inSeconds(Date.now() - startedMs)}; files in the order of TEST_SEED=${process.env.TEST_SEED}\n`,
)
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
)
process.exit(bad.length === 0 ? 0 : 1)
