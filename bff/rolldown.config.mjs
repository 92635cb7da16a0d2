import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import license from 'rollup-plugin-license'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Writes the licences of what is bundled, as their authors ask for. */
export const licensesOfBundled = (file) => license({ thirdParty: { output: file } })

const isCommandLine = (id) => id.endsWith('/command-line.ts')

/** The program in one file, and beside it the migrations and logos, which it reads at start. */
export const program = {
  input: path('src/command-line.ts'),
  platform: 'node',
  // The addons of SQLite cannot be bundled.
  external: ['better-sqlite3', 'better-sqlite3-12', 'pino', 'qrcode'],
  output: { file: path('dist/command-line.js'), format: 'esm', sourcemap: true, codeSplitting: false },
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

/** The file that starts it is written last. */
export default [
  program,
  {
    input: path('src/main.ts'),
    platform: 'node',
    external: isCommandLine,
    output: {
      file: path('dist/main.js'),
      format: 'esm',
      paths: (id) => (isCommandLine(id) ? './command-line.js' : id),
    },
  },
]
