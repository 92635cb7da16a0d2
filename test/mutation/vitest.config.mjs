import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Database files in memory, where there is such a place: the tests are run some thousand times. */
const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** See `run.mjs`. */
const { tests } = JSON.parse(process.env['MUTATION_PLAN'] ?? '{"tests":[]}')

const root = fileURLToPath(new URL('../..', import.meta.url))

/** By their names the rig and the service would be read outside of the copy, with code that nothing has changed. */
const alias = ['bff', 'bff/test'].flatMap((workspace) => {
  const { name, exports } = JSON.parse(readFileSync(`${root}${workspace}/package.json`, 'utf8'))
  return Object.entries(exports).map(([door, file]) => ({
    find: new RegExp(`^${name}${door.slice(1).replace('*', '(.*)')}$`),
    replacement: `${root}${workspace}${file.slice(1).replace('*', '$1')}`,
  }))
})

export default defineConfig({
  resolve: { alias },
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
    setupFiles: [`${root}bff/test/without-stubs.ts`],
  },
})
