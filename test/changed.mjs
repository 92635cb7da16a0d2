// What a change can break: unit tests by the imports that lead to it (`unit-tests.mjs`), stories by the folders that they cross
// (`crossings.mjs`).
// `node test/changed.mjs --check` says whether that map still fits the tree.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { crossings } from './crossings.mjs'
import { root, suites, vitest } from './suites.mjs'
import { unitTestsOf } from './unit-tests.mjs'

const suffix = '.test.ts'

/** Files of unit tests, the nearest to the change: they take seconds. */
const unitTestsMax = 40

/** @returns the paths that differ from `base`, those that git does not know yet too. @throws {Error} when there is no such commit. */
function changedSince(base) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.split('\n').filter((line) => line !== '')
  }
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** @returns the names of the stories that a change of these paths can break. */
function storiesOf(paths) {
  const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`)
  return Object.keys(crossings).filter((story) =>
    paths.some(
      (path) =>
        path === `test/${story}${suffix}` ||
        // A change of the rig alone is tried on one story: all of them are `npm test -- stories stories-browser`.
        (story === 'deposit' && isIn(path, 'test/harness')) ||
        (!path.endsWith(suffix) && crossings[story].some((folder) => isIn(path, folder))),
    ),
  )
}

/** The rig's tests of chains and processes run with those of the demo. */
const isOfDemo = (path) => /^(?:demo|bff\/test\/(?:devnet|processes))\//.test(path)

/**
 * @param paths - What a change touches, from the root.
 * @returns what it can break: test files, whole suites by their names, and how many files of unit tests import it by longer ways.
 */
export function testsOfChange(paths) {
  const changed = (...folders) => paths.some((path) => folders.some((folder) => path.startsWith(folder)))
  const units = unitTestsOf(paths)
  const nearest = units.slice(0, unitTestsMax)
  return {
    bff: nearest.filter((path) => !isOfDemo(path)),
    isOnBothDatabases: paths.some((path) => /^bff\/src\/db\/|-store\.ts$|\.postgres\.test\.ts$/.test(path)),
    demo: nearest.filter(isOfDemo),
    suites: [...(changed('widget/') ? ['widget'] : []), ...(changed('bff/contracts/') ? ['contracts'] : [])],
    stories: storiesOf(paths).map((name) => `test/${name}${suffix}`),
    left: units.length - nearest.length,
  }
}

/**
 * @param base - The commit to compare with; the last one where nothing is said.
 * @returns pairs of a name and what `suites` has under it, for what can break.
 */
export function suitesOfChange(base = 'HEAD') {
  const paths = changedSince(base)
  if (paths.length === 0) return []
  const { bff, isOnBothDatabases, demo, suites: whole, stories, left } = testsOfChange(paths)
  if (left > 0) process.stdout.write(`${left} more files of unit tests import what has changed: npm test -- bff\n`)
  const projects = isOnBothDatabases ? ['bff', 'bff-postgres'] : ['bff']
  return [
    ['rules', (output) => vitest(['rules'], output)],
    ...(bff.length > 0 ? [['bff', (output) => vitest(projects, output, bff, {}, ['--passWithNoTests'])]] : []),
    ...(demo.length > 0 ? [['demo', (output) => vitest(['demo'], output, demo, {}, ['--passWithNoTests'])]] : []),
    ...whole.map((name) => [name, suites[name]]),
    ...(stories.length > 0 ? [['stories', (output) => vitest(['test'], output, stories)]] : []),
  ]
}

/** @returns what is wrong with the map: stories and folders that are not there, and stories that are not in it. */
function faultsOfMap() {
  const stories = readdirSync(`${root}test`).flatMap((name) =>
    name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : [],
  )
  const folders = Object.values(crossings).flat()
  return [
    ...stories.filter((story) => !crossings[story]).map((story) => `${story} is not in it`),
    ...Object.keys(crossings).flatMap((story) => (stories.includes(story) ? [] : [`there is no story ${story}`])),
    ...folders.filter((folder) => !existsSync(root + folder)).map((folder) => `there is no ${folder}`),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === '--check') {
  const faults = faultsOfMap()
  if (faults.length > 0) process.stderr.write(`test/crossings.mjs:\n  ${faults.join('\n  ')}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
