// Bundles the service with its failpoints, which then starts as fast as the one that merchants run.
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { program } from '../../bff/rolldown.config.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
// Stories on both databases run side by side.
const folder = path(`../.results/failing-service-${process.env.TEST_DATABASE ?? 'sqlite'}`)

/** The program of `failpoint.ts`. */
export const failingService = `${folder}/main.js`

export async function buildFailingService() {
  // A migration that has another number since then must not be run twice.
  rmSync(folder, { recursive: true, force: true })
  const { plugins: _, ...options } = program
  await build({
    ...options,
    input: path('failpoint.ts'),
    output: { ...options.output, file: failingService },
    logLevel: 'warn',
  })
  for (const files of ['db/migrations', 'logos/networks', 'logos/tokens'])
    cpSync(path(`../../bff/src/${files}`), `${folder}/${files}`, { recursive: true })
}
