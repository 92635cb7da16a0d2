import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import license from 'rollup-plugin-license'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Without its native addon, whose absence it would tell on the error output of every command. */
export const alias = { 'bigint-buffer': createRequire(import.meta.url).resolve('bigint-buffer/dist/browser.js') }

/** Writes the licences of what is bundled, as their authors ask for. */
export const licensesOfBundled = (file) => license({ thirdParty: { output: file } })

/** One file beside the SQLite addon, which cannot be bundled, and the migrations and logos, which it reads at start. */
export default {
  input: path('src/main.ts'),
  platform: 'node',
  resolve: { alias },
  external: ['better-sqlite3', 'pino', 'qrcode', 'swagger-ui-dist'],
  output: { file: path('dist/main.js'), format: 'esm', sourcemap: true, codeSplitting: false },
  plugins: [
    licensesOfBundled(path('dist/THIRD-PARTY-LICENSES.txt')),
    {
      name: 'files',
      writeBundle() {
        for (const folder of ['db/migrations', 'logos/networks', 'logos/tokens']) {
          // A migration that has another name by now would run beside it.
          rmSync(path(`dist/${folder}`), { recursive: true, force: true })
          cpSync(path(`src/${folder}`), path(`dist/${folder}`), { recursive: true })
        }
      },
    },
  ],
}
