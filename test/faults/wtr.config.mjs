// Runs tests of the widget against one planted fault: the fault is planted while the browser loads the file, so no file on disk is changed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import widget from '../../widget/web-test-runner.config.mjs'
import { plant } from './plant.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `{ file, from, to }`, or nothing: the tests run on the code as it is. */
const fault = JSON.parse(process.env['PLANTED_FAULT'] ?? 'null')

// The runner holds the other end. When it is killed, this process and its browser end too.
if (process.env['FAULTS_RUNNER'] !== undefined) {
  process.stdin.resume().once('close', () => process.kill(-process.pid, 'SIGKILL'))
  process.stdin.unref?.()
}

const testsOf = (suite, names = []) => [
  ...suite.tests.map(({ name, passed, skipped }) => ({
    fullName: [...names, name].join(' '),
    status: skipped ? 'skipped' : passed ? 'passed' : 'failed',
  })),
  ...suite.suites.flatMap((one) => testsOf(one, [...names, one.name])),
]

/** Prints what Vitest's reporter `json` does, as far as the runner reads it. */
const jsonReporter = {
  stop({ sessions }) {
    const testResults = sessions.map(({ testFile, testResults, errors }) => ({
      name: testFile,
      message: errors.map(({ message }) => message).join(' '),
      assertionResults: testResults ? testsOf(testResults) : [],
    }))
    process.stdout.write(`\n${JSON.stringify({ numTotalTestSuites: testResults.length, testResults })}\n`)
  },
}

export default {
  ...widget,
  plugins: [
    {
      name: 'planted-fault',
      serve({ path }) {
        if (!fault || path !== `/${fault.file}`) return undefined
        return { body: plant(readFileSync(root + fault.file, 'utf8'), fault), type: 'ts' }
      },
    },
    ...widget.plugins,
  ],
  // A planted fault makes some tests wait in vain: a sixth of the usual timeout.
  testFramework: { config: { ...widget.testFramework.config, timeout: 20_000 } },
  reporters: [jsonReporter],
}
