import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { unitTests } from './targets.mjs'

export default defineConfig({
  test: { root: fileURLToPath(new URL('../..', import.meta.url)), include: unitTests, testTimeout: 10_000 },
})
