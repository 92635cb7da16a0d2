// Changes the code that decides about money and rights a bit at a time and runs its unit tests on each change: one that no test notices has
// survived. `docs/mutation.md` says how to call it, and has the scores.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { areas } from './areas.mjs'
import { changedRanges } from './changed.mjs'
import { createScores, percent, scoreMin, scoresOf, writeTable } from './scores.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const minuteMs = 60_000

/** Of a change to a line or two, so many survivors say nothing: some changes make no difference. */
const survivorsMin = 2

const args = process.argv.slice(2)
const option = (name) => args.find((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
const minutesAt = args.indexOf('--minutes')
const wanted = args.filter((arg, place) => !arg.startsWith('--') && (minutesAt < 0 || place !== minutesAt + 1))

const unknown = wanted.filter((name) => !areas[name])
if (unknown.length > 0) fail(`no such area: ${unknown.join(', ')} (there are: ${Object.keys(areas).join(', ')})`)
const missing = Object.values(areas).flatMap(({ files, tests }) =>
  [...files, ...tests].filter((file) => !existsSync(root + file)),
)
if (missing.length > 0) fail(`test/mutation/areas.mjs names files that do not exist:\n  ${missing.join('\n  ')}`)
if (option('check')) process.exit(0)

const changed = option('changed')
const minutes = minutesAt < 0 ? (changed ? 3 : 240) : Number(args[minutesAt + 1])
if (!(minutes > 0)) fail('--minutes must be a number of minutes')
const endsAtMs = Date.now() + minutes * minuteMs
const store = createScores(root)

let running
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', () => running && kill(running))

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/**
 * @param ranges - What is mutated, as Stryker names it; the whole files by default.
 * @returns Stryker's report; undefined when the time was over first.
 */
async function mutate(area, ranges) {
  const report = `${root}test/mutation/.results/${area}${ranges ? '-changed' : ''}.json`
  rmSync(report, { force: true })
  const env = { ...process.env, MUTATION_AREA: area, ...(ranges && { MUTATION_RANGES: JSON.stringify(ranges) }) }
  const command = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutation/stryker.config.mjs']
  running = spawn(process.execPath, command, { cwd: root, stdio: 'inherit', env, detached: true })
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    kill(running)
  }, endsAtMs - Date.now())
  const [status] = await once(running, 'exit')
  clearTimeout(timer)
  running = undefined
  if (isOver) {
    rmSync(`${root}test/mutation/.sandbox`, { recursive: true, force: true })
    return undefined
  }
  if (status !== 0 || !existsSync(report)) fail(`the run of ${area} failed`)
  return JSON.parse(readFileSync(report, 'utf8'))
}

/** The areas to run, each with what is mutated of it. Those that were run longest ago come first. */
function plan() {
  const names = wanted.length > 0 ? wanted : Object.keys(areas)
  if (!changed) {
    const dayOf = (name) => areas[name].files.map((file) => store.stored[file]?.day ?? '').sort()[0] ?? ''
    return [...names].sort((one, other) => dayOf(one).localeCompare(dayOf(other))).map((name) => ({ name }))
  }
  const files = [...new Set(names.flatMap((name) => areas[name].files))]
  const ranges = changedRanges(root, files, changed.split('=')[1])
  return names.flatMap((name) => {
    const own = ranges.filter(({ file }) => areas[name].files.includes(file))
    return own.length === 0 ? [] : [{ name, ranges: own.map(({ file, from, to }) => `${file}:${from}-${to}`) }]
  })
}

const planned = plan()
const scores = []
const unreached = []
for (const { name, ranges } of planned) {
  process.stdout.write(`\n— ${name}\n`)
  const report = Date.now() < endsAtMs ? await mutate(name, ranges) : undefined
  if (report === undefined) {
    unreached.push(name)
    continue
  }
  const own = scoresOf(report, areas[name].files)
  scores.push(...own)
  if (!ranges) {
    store.keep(own)
    writeTable(root, areas, store.stored)
  }
}

for (const { file, noticed, all } of scores) {
  process.stdout.write(`${percent(noticed, all).padStart(6)} %  ${String(noticed).padStart(4)} of ${String(all).padStart(4)}  ${file}\n`)
}
const sum = (field) => scores.reduce((total, score) => total + score[field], 0)
if (unreached.length > 0) process.stdout.write(`Not reached in ${minutes} minutes: ${unreached.join(', ')}\n`)
process.stdout.write(`${percent(sum('noticed'), sum('all'))} %: ${sum('noticed')} of ${sum('all')} changes were noticed\n`)
const low = scores.filter(
  ({ noticed, all }) => noticed * 100 < all * scoreMin && (!changed || all - noticed > survivorsMin),
)
if (low.length > 0) fail(`below ${scoreMin} %: ${low.map(({ file }) => file).join(', ')}`)

function fail(message) {
  process.stderr.write(`mutate: ${message}\n`)
  process.exit(1)
}
