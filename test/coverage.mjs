// Prints which part of the branches of `bff/src` its unit tests take, by folder. No bound: what decides about money is judged by mutation tests.
// `npm run coverage -- bff/src/payment` runs the tests of one folder only.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { root } from './suites.mjs'

const folder = 'test/.results/coverage'
const source = 'bff/src/'

rmSync(root + folder, { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  [
    ...['node_modules/vitest/vitest.mjs', 'run', '--project', 'bff', ...process.argv.slice(2)],
    ...[
      '--coverage',
      '--coverage.provider=v8',
      `--coverage.include=${source}**/*.ts`,
      '--coverage.exclude=**/*.test.ts',
    ],
    ...['--coverage.reporter=json-summary', `--coverage.reportsDirectory=${folder}`, '--coverage.reportOnFailure'],
  ],
  { cwd: root, stdio: 'inherit' },
)

/** By folder: how many branches there are, and how many were taken. */
const areas = new Map()
const summary = JSON.parse(readFileSync(`${root}${folder}/coverage-summary.json`, 'utf8'))
for (const [path, { branches }] of Object.entries(summary)) {
  if (path === 'total') continue
  const area = dirname(path.replace(root, '').replace(source, ''))
  const { covered, total } = areas.get(area) ?? { covered: 0, total: 0 }
  areas.set(area, { covered: covered + branches.covered, total: total + branches.total })
}
const line = (name, { covered, total }) => {
  const percent = total === 0 ? '' : `${((100 * covered) / total).toFixed(1)} %`
  return `${percent.padStart(8)}  ${String(covered).padStart(5)} of ${String(total).padStart(5)} branches  ${name}\n`
}
const sorted = [...areas].sort(([one], [other]) => (one < other ? -1 : 1))
process.stdout.write(`\n${sorted.map(([name, area]) => line(name === '.' ? source : name, area)).join('')}`)
process.stdout.write(line('all', summary.total.branches))
process.exit(status ?? 1)
