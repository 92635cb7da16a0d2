import { areas } from './areas.mjs'

const area = process.env['MUTATION_AREA'] ?? ''
const results = `test/mutation/.results/${area}`

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.mjs' },
  mutate: areas[area]?.files ?? [],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  incremental: true,
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
