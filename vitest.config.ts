import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { onPostgres } from './bff/test/on-postgres.ts'
import { SeededOrder } from './test/seeded-order.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

const isNightly = process.env['NIGHTLY'] === '1'

/**
 * Tests of the service that open a database, which import the helper by whatever way. Those of `*.postgres.test.ts` run on PostgreSQL
 * alone; of the others those that `onPostgres` lists run there too, and in a nightly run all.
 */
function testsOnDatabases(): string[] {
  const known = new Map<string, boolean>()
  const reaches = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const text = readFileSync(file, 'utf8').replaceAll(/'@stablecoin-checkout\/rig\/(.+)'/g, `'${root}bff/test/$1.ts'`)
    const imports = [...text.matchAll(/^(?:import|export|\}).* from '([./].+\.ts)'/gm)]
    const isReached =
      file.endsWith('/test/test-database.ts') || imports.some(([, to = '']) => reaches(resolve(dirname(file), to)))
    known.set(file, isReached)
    return isReached
  }
  const tests = ['bff/src', 'bff/test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  )
  const all = tests.filter((file) => reaches(join(root, file)))
  if (isNightly) return all
  const listed = new Set(onPostgres.map((name) => `bff/src/${name}.test.ts`))
  const gone = [...listed].filter((file) => !all.includes(file))
  if (gone.length > 0)
    throw new Error(`bff/test/on-postgres.ts names what is no test of a database: ${gone.join(', ')}.`)
  const isOfPostgres = (file: string) => file.startsWith('bff/src/db/') || file.endsWith('.postgres.test.ts')
  return all.filter((file) => isOfPostgres(file) || listed.has(file))
}

/** `TEST_DATABASE=postgres` has the stories run on PostgreSQL, but for those of SQLite's file and of commands that make one. */
const isOnPostgres = process.env['TEST_DATABASE'] === 'postgres'
const storiesOfFiles = [
  'binary',
  'commands',
  'docs-commands',
  'docs-site',
  'init',
  'metrics',
  'move',
  'reconcile',
  'restore',
  'secrets',
  'solana-refused',
  'solana-restore',
].map((name) => `test/${name}.test.ts`)

/** What `npm run check` asks: the order of the modules, the page that shows it, the paths that documents and mutation tests name, and the types of the client. */
const rules = [
  ...['import-rules', 'architecture-page', 'doc-paths', 'mutation-areas'].map((name) => `bff/test/${name}.test.ts`),
  'test/client/api-types.test.ts',
  'test/rules/changed.test.ts',
]

/** The rig's own tests of chains and processes: one file after the other, as those of the demo. */
const testsOfDevnet = ['bff/test/devnet/**/*.test.ts', 'bff/test/processes/**/*.test.ts']

/** Lives on a real chain. Those on the simulated one are in each run. */
const nightlyOnly = ['bff/test/model/anvil.test.ts']

/**
 * `QUICK=1` leaves to the night what builds the binary and the documents' site, what types every command of the docs, and whole replicas
 * that die at each commit: in each run their workers do, in the tests' own process.
 */
const storiesOfNight = ['binary', 'docs-commands', 'docs-site', 'replica-deaths', 'replica-takeovers'].map(
  (name) => `test/${name}.test.ts`,
)
const isQuick = process.env['QUICK'] === '1'

/** Files that another suite of the same run has (`test/suites.mjs`). */
const storiesLeftOut = process.env['STORIES_LEFT_OUT']?.split(',') ?? []

/** The provider for Medusa is tested without Medusa, whose packages are 700 MB; `MEDUSA=1` has a story with the real one. */
const medusa = {
  '@medusajs/framework/utils': `${root}demo/examples/medusa/testing/framework-utils.ts`,
  '@stablecoin-checkout/client': `${root}bff/clients/node/src/index.ts`,
}

/** No retries anywhere: a flaky test is a broken one. The widget's tests run in a browser, by `npm test -w widget`. */
export default defineConfig({
  test: {
    // Tests wait for conditions; the bounds are for machines that are busy with other work.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // A third of the time would be spent on reading the same modules for each file. None of them keeps state but caches.
    isolate: false,
    // Tests wait half of their time: also on two processors two files run at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What is transformed is found again by the next run, and by the other suites of this one.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SeededOrder },
    projects: [
      {
        extends: true,
        test: {
          name: 'bff',
          include: ['bff/{src,test,dashboard,clients}/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'bff/src/db/postgres/**',
            '**/*.postgres.test.ts',
            ...rules,
            ...testsOfDevnet,
            ...(isNightly ? [] : nightlyOnly),
          ],
          globalSetup: ['bff/test/processes/programs.mjs', 'bff/test/database-folder.ts'],
          setupFiles: ['bff/test/without-stubs.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'bff-postgres',
          include: testsOnDatabases(),
          // A load test asks how fast the dispatcher is; what PostgreSQL costs is asked by a benchmark.
          exclude: ['**/*.load.test.ts', 'bff/src/db/sqlite/**'],
          globalSetup: [
            'bff/test/processes/programs.mjs',
            'bff/test/database-folder.ts',
            'bff/test/every-statement.ts',
            'bff/test/postgres-server.ts',
          ],
          env: { TEST_DATABASE: 'postgres' },
        },
      },
      { extends: true, test: { name: 'rules', include: rules, globalSetup: ['bff/test/database-folder.ts'] } },
      {
        extends: true,
        resolve: { alias: medusa },
        test: {
          name: 'demo',
          include: ['demo/**/*.test.ts', ...testsOfDevnet],
          globalSetup: ['bff/test/processes/programs.mjs'],
          fileParallelism: false,
        },
      },
      {
        extends: true,
        // Stories share one set of chains and one browser, so they run one file after the other.
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          // Packages that only this workspace needs may lie in it, with tests of their own.
          exclude: [
            '**/node_modules/**',
            ...rules,
            ...(isOnPostgres ? storiesOfFiles : []),
            ...(isQuick ? storiesOfNight : []),
            ...storiesLeftOut,
          ],
          globalSetup: [
            'bff/test/processes/programs.mjs',
            'bff/test/database-folder.ts',
            'test/harness/global-setup.ts',
            ...(isOnPostgres ? ['bff/test/postgres-server.ts'] : []),
          ],
          fileParallelism: false,
          // Only for what hangs: what a story waits for, it looks at a number of times, which takes longer on a slow machine.
          testTimeout: 600_000,
          expect: { poll: { interval: 50, timeout: 60_000 } },
        },
      },
    ],
  },
})
