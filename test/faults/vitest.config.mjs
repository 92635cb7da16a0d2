// Runs tests against one planted fault: the fault is planted while Vite loads the file, so no file on disk is changed.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { plant } from './plant.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `{ file, from, to }`, or nothing: the tests run on the code as it is. */
const fault = JSON.parse(process.env['PLANTED_FAULT'] ?? 'null')

// The runner holds the other end. When it is killed, this process and its workers end too.
if (process.env['FAULTS_RUNNER'] !== undefined) {
  process.stdin.resume().once('close', () => process.kill(-process.pid, 'SIGKILL'))
  process.stdin.unref?.()
}

export default defineConfig({
  plugins: [
    {
      name: 'planted-fault',
      enforce: 'pre',
      transform(code, id) {
        return fault && id === root + fault.file ? plant(code, fault) : undefined
      },
    },
  ],
  test: {
    root,
    include: ['bff/{src,test,dashboard}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.postgres.test.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a fault keeps from happening is waited for in vain: a third of the usual bound.
    expect: { poll: { timeout: 20_000 } },
  },
})
