import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Without its native addon, whose absence it would tell on the error output of every command. */
export const alias = { 'bigint-buffer': createRequire(import.meta.url).resolve('bigint-buffer/dist/browser.js') }

/** One file beside the SQLite addon, which cannot be bundled, and the migrations and logos, which it reads at start. */
export default {
  input: path('src/main.ts'),
  platform: 'node',
  resolve: { alias },
  external: ['better-sqlite3', 'pino', 'qrcode', 'swagger-ui-dist'],
  output: { file: path('dist/main.js'), format: 'esm', sourcemap: true, codeSplitting: false },
  plugins: [
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
