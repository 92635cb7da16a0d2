import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { defaultReporter } from '@web/test-runner'
import { chromeLauncher } from '@web/test-runner-chrome'
import { chromePath } from '../test/harness/chrome.mjs'

const resultsFolder = fileURLToPath(new URL('../test/.results/', import.meta.url))

/** Writes the totals for the runner of all suites. A file that did not run counts as a failure. */
function totalsReporter() {
  const testsOf = (suite) => [...suite.tests, ...suite.suites.flatMap(testsOf)]
  return {
    async stop({ sessions }) {
      const tests = sessions.flatMap(({ testResults }) => (testResults ? testsOf(testResults) : []))
      const failed = tests.filter(({ passed, skipped }) => !passed && !skipped)
      const broken = sessions.filter(({ passed, testResults }) => !passed && !testResults?.suites.length)
      const skipped = tests.filter((test) => test.skipped).length
      const failures = [
        ...failed.map(({ name, error }) => `${name}: ${error?.message}`),
        ...broken.map(({ testFile, errors }) => `${testFile}: ${errors.map(({ message }) => message).join(' ')}`),
      ]
      const totals = { passed: tests.length - failed.length - skipped, failed: failures.length, skipped, failures }
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
  // Tests wait for conditions; the bounds allow for busy machines.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  testFramework: { config: { ui: 'tdd', timeout: 120_000 } },
  reporters: [defaultReporter({ reportTestProgress: false }), totalsReporter()],
}
