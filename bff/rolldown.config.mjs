import { cpSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import license from 'rollup-plugin-license'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Writes the licences of what is bundled, as their authors ask for. */
export const licensesOfBundled = (file) => license({ thirdParty: { output: file } })

const isCommandLine = (id) => id.endsWith('/command-line.ts')

/**
 * The program, a file for each part and command that it loads at run time, and beside them the migrations and logos, which it reads at
 * start. All files are in one folder, so that what they read is found by the same path from each.
 */
export const program = {
  input: path('src/command-line.ts'),
  platform: 'node',
  // The addons of SQLite cannot be bundled.
  external: ['better-sqlite3', 'better-sqlite3-12', 'pino', 'qrcode'],
  output: { dir: path('dist'), format: 'esm', sourcemap: true, chunkFileNames: 'chunk-[name].js' },
  plugins: [
    licensesOfBundled(path('dist/THIRD-PARTY-LICENSES.txt')),
    {
      name: 'files',
      writeBundle(_, bundle) {
        for (const name of readdirSync(path('dist'))) {
          // What had another name before.
          if (/^chunk-.*\.js$/.test(name) && !(name in bundle)) {
            for (const file of [name, `${name}.map`]) rmSync(path(`dist/${file}`), { force: true })
          }
        }
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
