import { fileURLToPath } from 'node:url'

/** See `run.mjs`: `{ name, mutate, tests, workers, sandbox }`. */
const plan = JSON.parse(process.env['MUTATION_PLAN'] ?? '{"mutate":[]}')
const results = `test/mutation/.results/${plan.name}`

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('plugin.mjs', import.meta.url))],
  // Of the plan's tests those that, by vitest's graph of imports, the mutated files reach.
  vitest: { configFile: 'test/mutation/vitest.config.mjs', related: true },
  mutate: plan.mutate,
  ignorers: ['logs', 'exhaustive'],
  coverageAnalysis: 'perTest',
  concurrency: plan.workers,
  tempDirName: plan.sandbox,
  // A busy machine must not count as a mutant that was noticed.
  timeoutMS: 120_000,
  reporters: ['verdicts', 'progress-append-only'],
  verdicts: `${results}.jsonl`,
  allowConsoleColors: false,
  warnings: { slow: false, unknownOptions: false },
  ignorePatterns: ['**/dist', 'docs', 'widget', 'demo/.data', 'test/.results', 'test/mutation/.results'],
}
