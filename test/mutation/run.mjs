// Changes the code that decides about money and rights a bit at a time and runs its unit tests on each change: one that no test notices has
// survived. `docs/mutation.md` says how to call it, and has the scores. `--again` asks only about what survived the last whole run of an
// area, and adds up both.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areas, faultsOfAreas } from './areas.mjs'
import { changedRanges, commitOf } from './changed.mjs'
import { faultsOfEquivalents, isEquivalent } from './equivalents.mjs'
import { createScores, isNoticed, percent, scoreMin, scoresOf, writeTable } from './scores.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const results = `${root}test/mutation/.results`
const minuteMs = 60_000

/** Of a change to a line or two, so many survivors say nothing: some changes make no difference. */
const survivorsMin = 2

const args = process.argv.slice(2)
const option = (name) => args.find((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
/** @returns the number after `--name`, or `usual`. */
function numberOf(name, usual) {
  const at = args.indexOf(`--${name}`)
  if (at < 0) return usual
  const [, value] = args.splice(at, 2)
  if (!(Number(value) > 0)) fail(`--${name} must be a number above 0`)
  return Number(value)
}

const changed = option('changed')
const minutes = numberOf('minutes', changed ? 3 : 240)
const workers = numberOf('workers', 1)
const wanted = args.filter((arg) => !arg.startsWith('--'))

const unknown = wanted.filter((name) => !areas[name])
if (unknown.length > 0) fail(`no such area: ${unknown.join(', ')} (there are: ${Object.keys(areas).join(', ')})`)
const faults = [...faultsOfAreas(), ...faultsOfEquivalents(root)]
if (faults.length > 0) fail(`test/mutation:\n  ${faults.join('\n  ')}`)
const store = createScores(root)
if (option('table')) {
  writeTable(root, areas, store.stored)
  process.exit(0)
}
const endsAtMs = Date.now() + minutes * minuteMs
const commit = commitOf(root)

let running
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
// Outside of the tree: other runs of tests would find those in the copy.
const sandbox = mkdtempSync(join(tmpdir(), 'mutation-'))
process.on('exit', () => {
  if (running) kill(running)
  rmSync(sandbox, { recursive: true, force: true })
})

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/**
 * @param plan - `name` of its results; `mutate`: files, or lines of them as Stryker names them; `tests`: those that may notice.
 * @returns the verdicts, how many changes of each file were planned, and whether each has its verdict: none when the time was over first.
 */
async function mutate(plan) {
  mkdirSync(results, { recursive: true })
  // What is kept of the run before must outlive this one if that is ended.
  const runName = plan.kept === undefined ? plan.name : `${plan.name}-again`
  const file = fileOf(runName)
  rmSync(file, { force: true })
  const { mutate: mutated, tests } = plan
  const env = {
    ...process.env,
    MUTATION_PLAN: JSON.stringify({ name: runName, mutate: mutated, tests, workers, sandbox }),
  }
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
  if (!isOver && status !== 0) fail(`the run of ${plan.name} failed`)
  const { planned, verdicts } = verdictsIn(file)
  if (plan.kept === undefined || isOver) return { isComplete: !isOver, planned, verdicts }
  const all = [...plan.kept, ...verdicts]
  writeFileSync(
    fileOf(plan.name),
    [{ planned: plan.planned }, ...all].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  return { isComplete: true, planned: plan.planned, verdicts: all }
}

/** Where the verdicts of a plan are. */
const fileOf = (name) => `${results}/${name}.jsonl`

/** The verdicts in a file, and how many changes of each file were planned. The last line may have been cut by the end. */
function verdictsIn(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const [{ planned } = { planned: {} }, ...verdicts] = lines.map((line) => JSON.parse(line))
  return { planned, verdicts }
}

/** The lines of the area whose changes survived its last run, and as `kept` the verdicts on all others. */
function survivorsOf(name) {
  const { planned, verdicts } = verdictsIn(fileOf(name))
  const changedSince = verdicts.length === 0 || statSync(fileOf(name)).mtimeMs < newestOf(areas[name].files)
  if (changedSince) fail(`--again needs a whole run of ${name} since its files have changed`)
  const ranges = verdicts
    .filter((one) => isNoticed(one.status) === false && !isEquivalent(root, one))
    .map(({ file, line, endLine }) => ({ file, from: line, to: endLine }))
  const isIn = ({ file, line, endLine }) =>
    ranges.some((range) => range.file === file && range.from <= line && endLine <= range.to)
  const mutated = [...new Set(ranges.map(({ file, from, to }) => `${file.replace(root, '')}:${from}-${to}`))]
  return { mutate: mutated, planned, kept: verdicts.filter((one) => !isIn(one)) }
}

const newestOf = (files) => Math.max(...files.map((file) => statSync(root + file).mtimeMs))

/** What is run: each area by itself, those that were run longest ago first; or all that a change has touched at once. */
function plansOf(names) {
  if (!changed) {
    const dayOf = (name) => areas[name].files.map((file) => store.stored[file]?.day ?? '').sort()[0] ?? ''
    return [...names]
      .sort((one, other) => dayOf(one).localeCompare(dayOf(other)))
      .map((name) => ({ name, mutate: areas[name].files, tests: areas[name].tests, isWhole: true }))
      .map((plan) => (option('again') ? { ...plan, ...survivorsOf(plan.name) } : plan))
      .filter(({ mutate }) => mutate.length > 0)
  }
  const files = [...new Set(names.flatMap((name) => areas[name].files))]
  const ranges = changedRanges(root, files, changed.split('=')[1])
  if (ranges.length === 0) return []
  const touched = names.filter((name) => ranges.some(({ file }) => areas[name].files.includes(file)))
  const tests = [...new Set(touched.flatMap((name) => areas[name].tests))]
  const mutated = ranges.map(({ file, from, to }) => (from === undefined ? file : `${file}:${from}-${to}`))
  return [{ name: 'changed', mutate: mutated, tests, isWhole: false }]
}

const plans = plansOf(wanted.length > 0 ? wanted : Object.keys(areas))
const scores = []
const survivors = []
const cut = []
/** Files of which some changes were not reached. */
const partly = new Set()
for (const plan of plans) {
  process.stdout.write(`\n— ${plan.name}\n`)
  const isReached = Date.now() < endsAtMs
  const { isComplete, planned, verdicts } = isReached
    ? await mutate(plan)
    : { isComplete: false, planned: {}, verdicts: [] }
  const own = scoresOf(root, verdicts)
  scores.push(...own)
  // What has no test is known first, so that a file of which some changes were not reached seems worse than it is: such a file is not judged.
  const tested = (file) => verdicts.filter((one) => one.file === file && one.status !== 'Ignored').length
  for (const [file, count] of Object.entries(planned)) if (tested(file) < count) partly.add(file.replace(root, ''))
  survivors.push(...verdicts.filter((one) => isNoticed(one.status) === false && !isEquivalent(root, one)))
  if (!isComplete) cut.push(plan.name)
  else if (plan.isWhole && option('write')) {
    store.keep(own, commit)
    writeTable(root, areas, store.stored)
  }
}

for (const { file, line, change, replacement } of survivors) {
  process.stdout.write(`survived  ${file.replace(root, '')}:${line} ${change}: ${replacement}\n`)
}
for (const { file, noticed, all } of scores) {
  const figures = `${String(noticed).padStart(4)} of ${String(all).padStart(4)}`
  const note = partly.has(file) ? ', the rest was not reached' : ''
  process.stdout.write(`${percent(noticed, all).padStart(6)} %  ${figures}  ${file}${note}\n`)
}
const sum = (field) => scores.reduce((total, score) => total + score[field], 0)
if (cut.length > 0) process.stdout.write(`Not, or not whole, in ${minutes} minutes: ${cut.join(', ')}\n`)
process.stdout.write(
  plans.length === 0
    ? 'The change touches no file that decides\n'
    : `${percent(sum('noticed'), sum('all'))} %: ${sum('noticed')} of ${sum('all')} changes were noticed\n`,
)
const low = scores.filter(
  ({ file, noticed, all }) =>
    !partly.has(file) && noticed * 100 < all * scoreMin && (!changed || all - noticed > survivorsMin),
)
if (low.length > 0) fail(`below ${scoreMin} %: ${low.map(({ file }) => file).join(', ')}`)

function fail(message) {
  process.stderr.write(`mutate: ${message}\n`)
  process.exit(1)
}
