// Bundles the service with its failpoints, so that it starts as fast as the merchants' bundle.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Names the folder of this run's program; workers start later, with this variable. @returns a function that removes it. */
export function reserveFailingService() {
  // Runs may be concurrent.
  const folder = path(`../.results/failing-service-${process.pid}`)
  process.env.FAILING_SERVICE_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

let building

/** The program of `failpoint.ts`. Built for the first story of a run that needs it: that takes seconds, and most of a gigabyte. */
export const failingService = () => (building ??= buildFailingService(process.env.FAILING_SERVICE_FOLDER))

async function buildFailingService(folder) {
  const main = `${folder}/main.js`
  // By an earlier worker of this run.
  if (existsSync(main)) return main
  const { build } = await import('rolldown')
  const { program } = await import('../../bff/rolldown.config.mjs')
  for (const files of ['db/migrations', 'logos/networks', 'logos/tokens'])
    cpSync(path(`../../bff/src/${files}`), `${folder}/${files}`, { recursive: true })
  const { plugins: _, ...options } = program
  await build({
    ...options,
    input: path('failpoint.ts'),
    output: { ...options.output, dir: folder, entryFileNames: 'main.js' },
    logLevel: 'warn',
  })
  return main
}
