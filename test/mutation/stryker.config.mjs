import { targets } from './targets.mjs'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  mutate: targets,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  incremental: true,
  incrementalFile: 'test/mutation/.results/incremental.json',
  tempDirName: 'test/mutation/.sandbox',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'test/mutation/.results/report.json' },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: ['**/dist', 'docs', 'widget', 'demo/.data', 'test/.results'],
}
