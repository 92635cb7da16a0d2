// Programs in TypeScript are bundled before they run: Node 20 cannot run them by itself, and a loader costs each start a second of work,
// and a thread and a process that can hang it.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
/** With a slash at its end, which no folder below it is shorter than. */
const root = path('../../../')

/** Not the workspaces of this repository, which are TypeScript, nor the bundler's own helpers. */
const isPackage = (id, importer, isResolved) =>
  importer !== undefined &&
  !isResolved &&
  !/^(?:\.|@stablecoin-checkout\/|@oxc-project\/runtime)/.test(id) &&
  !isOfWorkspace(id, importer)

/** What npm installed for one workspace alone, as where the root has another version: a program in another folder would not find it. */
function isOfWorkspace(id, importer) {
  const [scope, name = ''] = id.split('/')
  const folder = join('node_modules', id.startsWith('@') ? `${scope}/${name}` : scope)
  for (let parent = dirname(importer); parent.length >= root.length; parent = dirname(parent)) {
    if (existsSync(join(parent, folder))) return true
  }
  return false
}

/** The address of a module stays that of its source: what it reads lies there. */
const sourceAddress = {
  name: 'source-address',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, source) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href)),
  },
}

/**
 * Bundles programs, without the packages that the repository's root has.
 * @param sources - The path of each source by the name of its program.
 * @param folder - Below the repository's root, where packages are found. Programs are `<name>.js` in it.
 */
export async function bundlePrograms(sources, folder) {
  const { output } = await build({
    input: sources,
    platform: 'node',
    external: isPackage,
    plugins: [sourceAddress],
    // Of the service only what is used: its doors for tests name modules that a program need not load.
    treeshake: { moduleSideEffects: [{ test: /\/bff\/src\/(?:index|testing\/\w+)\.ts$/, sideEffects: false }] },
    output: { dir: folder, format: 'esm', chunkFileNames: '[name].js' },
    write: false,
    logLevel: 'warn',
  })
  mkdirSync(folder, { recursive: true })
  for (const { fileName, code } of output) {
    // Another demo may be starting from the same folder: it reads the whole of the file before or of this one.
    const file = join(folder, fileName)
    writeFileSync(`${file}.${process.pid}`, code)
    renameSync(`${file}.${process.pid}`, file)
  }
}

/** The local Solana, which the devnet starts as a process, into the rig's `dist/`. Vitest calls it as its global setup. */
export const bundleDevnet = () => bundlePrograms({ solana: path('../devnet/solana/main.ts') }, path('../dist'))

export { bundleDevnet as setup }
