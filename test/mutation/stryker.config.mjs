import { areas } from './areas.mjs'

const area = process.env['MUTATION_AREA'] ?? ''
/** The lines that a change has touched; null: whole files. */
const ranges = JSON.parse(process.env['MUTATION_RANGES'] ?? 'null')
const results = `test/mutation/.results/${area}${ranges ? '-changed' : ''}`

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Of the area's tests those that, by vitest's graph of imports, the mutated files reach.
  vitest: { configFile: 'test/mutation/vitest.config.mjs', related: true },
  mutate: ranges ?? areas[area]?.files ?? [],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  incremental: ranges === null,
  incrementalFile: `${results}-incremental.json`,
  tempDirName: 'test/mutation/.sandbox',
  // A busy machine must not count as a mutant that was noticed.
  timeoutMS: 30_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `${results}.json` },
  clearTextReporter: {
    allowColor: false,
    allowEmojis: false,
    logTests: false,
    reportTests: false,
    reportScoreTable: false,
  },
  warnings: { slow: false },
  ignorePatterns: ['**/dist', 'docs', 'widget', 'demo/.data', 'test/.results'],
}
