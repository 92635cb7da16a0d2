// Bundles the service with its failpoints, so that it starts as fast as the merchants' bundle.
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { program } from '../../bff/rolldown.config.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** The program of `failpoint.ts`, built for this run by `buildFailingService`. */
export const failingService = () => `${process.env.FAILING_SERVICE_FOLDER}/main.js`

/** @returns a function that removes it. */
export async function buildFailingService() {
  // Runs may be concurrent.
  const folder = path(`../.results/failing-service-${process.pid}`)
  // Workers start later, with this variable.
  process.env.FAILING_SERVICE_FOLDER = folder
  const { plugins: _, ...options } = program
  await build({
    ...options,
    input: path('failpoint.ts'),
    output: { ...options.output, dir: folder, entryFileNames: 'main.js' },
    logLevel: 'warn',
  })
  for (const files of ['db/migrations', 'logos/networks', 'logos/tokens'])
    cpSync(path(`../../bff/src/${files}`), `${folder}/${files}`, { recursive: true })
  return () => rmSync(folder, { recursive: true, force: true })
}
