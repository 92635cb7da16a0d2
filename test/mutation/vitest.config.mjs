import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { areas } from './areas.mjs'

/** Database files in memory, where there is such a place: the tests are run some thousand times. */
const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: areas[process.env['MUTATION_AREA'] ?? '']?.tests ?? [],
    env: { TMPDIR: folder },
    // Loading the libraries again for each file would take longer than the tests.
    isolate: false,
  },
})
