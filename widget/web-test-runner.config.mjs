import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { defaultReporter } from '@web/test-runner'
import { chromeLauncher } from '@web/test-runner-chrome'
import { chromePath } from '../test/harness/chrome.mjs'

const resultsFolder = fileURLToPath(new URL('../test/.results/', import.meta.url))

/** Leaves the totals where the runner of all suites adds them up. A file that did not run at all counts as a failure. */
function totalsReporter() {
  const testsOf = (suite) => [...suite.tests, ...suite.suites.flatMap(testsOf)]
  return {
    async stop({ sessions }) {
      const tests = sessions.flatMap(({ testResults }) => (testResults ? testsOf(testResults) : []))
      const failed = tests.filter(({ passed, skipped }) => !passed && !skipped).length
      const broken = sessions.filter(({ passed, testResults }) => !passed && !testResults?.suites.length).length
      const skipped = tests.filter((test) => test.skipped).length
      const totals = { passed: tests.length - failed - skipped, failed: failed + broken, skipped }
      await mkdir(resultsFolder, { recursive: true })
      await writeFile(`${resultsFolder}widget.json`, `${JSON.stringify(totals)}\n`)
    },
  }
}

const { executablePath, args } = await chromePath()

export default {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  files: 'src/**/*.test.ts',
  nodeResolve: { exportConditions: ['production'] },
  browsers: [chromeLauncher({ launchOptions: { executablePath, args }, concurrency: 1 })],
  plugins: [
    esbuildPlugin({ ts: true, target: 'esnext', tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)) }),
  ],
  testFramework: { config: { ui: 'tdd', timeout: 10_000 } },
  reporters: [defaultReporter({ reportTestProgress: false }), totalsReporter()],
}
