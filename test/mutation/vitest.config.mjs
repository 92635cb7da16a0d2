import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Database files in memory, where there is such a place: the tests are run some thousand times. */
const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** See `run.mjs`. */
const { tests } = JSON.parse(process.env['MUTATION_PLAN'] ?? '{"tests":[]}')

const root = fileURLToPath(new URL('../..', import.meta.url))

export default defineConfig({
  // By its name the rig would be read outside of the copy, with code that nothing has changed.
  resolve: { alias: [{ find: /^@stablecoin-checkout\/rig\/(.*)$/, replacement: `${root}bff/test/$1.ts` }] },
  test: {
    root,
    include: tests,
    env: { TMPDIR: folder },
    // Vitest's own bounds, of a second for a condition and five for a test, fail on a busy machine. Those of `npm test` would be waited for in
    // vain by each change that stops a loop.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 8_000 } },
    // Loading the libraries again for each file would take longer than the tests.
    isolate: false,
  },
})
