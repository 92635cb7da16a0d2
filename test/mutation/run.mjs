// Changes the core a bit at a time and runs its unit tests on each change: one that no test notices has survived.
// `npm run mutate` does it all, `npm run mutate -- payout agent` two areas, `npm run mutate -- --score` shows the last scores.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { areas } from './areas.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Percent, of each file. */
const scoreMin = 90

const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const names = wanted.length > 0 ? wanted : Object.keys(areas)

const unknown = names.filter((name) => !areas[name])
if (unknown.length > 0) fail(`no such area: ${unknown.join(', ')} (there are: ${Object.keys(areas).join(', ')})`)
const missing = Object.values(areas).flatMap(({ files, tests }) =>
  [...files, ...tests].filter((file) => !existsSync(root + file)),
)
if (missing.length > 0) fail(`test/mutation/areas.mjs names files that do not exist:\n  ${missing.join('\n  ')}`)
if (args.includes('--check')) process.exit(0)

for (const name of args.includes('--score') ? [] : names) {
  process.stdout.write(`\n— ${name}\n`)
  const env = { ...process.env, MUTATION_AREA: name }
  const command = [
    `${root}node_modules/@stryker-mutator/core/bin/stryker.js`,
    'run',
    'test/mutation/stryker.config.mjs',
  ]
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) fail(`the run of ${name} failed`)
}

const scores = names.flatMap(scoresOf)
for (const { file, noticed, all } of scores) {
  const line = `${percent(noticed, all).padStart(7)} %  ${String(noticed).padStart(4)} of ${String(all).padStart(4)}  ${file}`
  process.stdout.write(`${line}\n`)
}
const sum = (field) => scores.reduce((total, score) => total + score[field], 0)
process.stdout.write(
  `${percent(sum('noticed'), sum('all')).padStart(7)} %  ${sum('noticed')} of ${sum('all')} changes were noticed\n`,
)
const low = scores.filter(({ noticed, all }) => noticed * 100 < all * scoreMin)
if (low.length > 0) fail(`below ${scoreMin} %: ${low.map(({ file }) => file).join(', ')}`)

function scoresOf(name) {
  const path = `${root}test/mutation/.results/${name}.json`
  if (!existsSync(path)) return []
  const { files } = JSON.parse(readFileSync(path, 'utf8'))
  return areas[name].files.flatMap((file) => {
    const states = (files[file]?.mutants ?? []).map(({ status }) => status)
    const noticed = states.filter((status) => status === 'Killed' || status === 'Timeout').length
    const survived = states.filter((status) => status === 'Survived' || status === 'NoCoverage').length
    return noticed + survived === 0 ? [] : [{ file, noticed, all: noticed + survived }]
  })
}

function percent(part, whole) {
  return ((100 * part) / Math.max(1, whole)).toFixed(2)
}

function fail(message) {
  process.stderr.write(`mutate: ${message}\n`)
  process.exit(1)
}
