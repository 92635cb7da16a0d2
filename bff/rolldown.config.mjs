import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** One file beside the SQLite addon, which cannot be bundled, and the migrations, which it reads at start. */
export default {
  input: path('src/main.ts'),
  platform: 'node',
  // Its native part is not built, and it would say so at each start.
  resolve: { alias: { 'bigint-buffer': 'bigint-buffer/dist/browser.js' } },
  external: ['better-sqlite3', 'pino', 'qrcode', 'swagger-ui-dist'],
  output: { file: path('dist/main.js'), format: 'esm', sourcemap: true, codeSplitting: false },
  plugins: [
    {
      name: 'migrations',
      writeBundle: () => cpSync(path('src/db/migrations'), path('dist/db/migrations'), { recursive: true }),
    },
  ],
}
