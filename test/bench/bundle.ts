import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Bundles a server of this folder as the service is shipped. The development runner wraps every function that is made,
 * which a benchmark of requests would count.
 * @returns the path of the bundle.
 */
export async function bundle(name: string): Promise<string> {
  const folder = path('../.results/bench/')
  const file = `${folder}${name}.mjs`
  await build({
    input: path(`./${name}.ts`),
    platform: 'node',
    external: ['better-sqlite3', 'better-sqlite3-12', 'pg', 'pino', 'qrcode'],
    treeshake: { moduleSideEffects: [{ test: /\/bff\/src\/(?:index|testing\/\w+)\.ts$/, sideEffects: false }] },
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'warn',
  })
  cpSync(path('../../bff/src/db/migrations'), `${folder}db/migrations`, { recursive: true })
  return file
}
