import { defineConfig } from 'vitest/config'

/** No retries anywhere: a flaky test is a broken one. The widget's tests run in a browser, by `npm test -w widget`. */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'bff', include: ['bff/{src,test}/**/*.test.ts'] } },
      { extends: true, test: { name: 'demo', include: ['demo/**/*.test.ts'], fileParallelism: false } },
      {
        extends: true,
        // Stories share one set of chains and one browser, so they run one file after the other.
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/harness/global-setup.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Waits end when the condition is met; the bound is for machines that are busy with other work.
          expect: { poll: { interval: 25, timeout: 30_000 } },
        },
      },
    ],
  },
})
