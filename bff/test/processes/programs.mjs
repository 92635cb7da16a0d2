// TypeScript programs are bundled before they run: Node 20 cannot run them directly, and a loader costs each start a second of
// work, and a thread and a process that can hang it.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
/** Ends with a slash. */
const root = path('../../../')

/** Excludes this repository's workspaces, which are TypeScript, and the bundler's own helpers. */
const isPackage = (id, importer, isResolved) =>
  importer !== undefined &&
  !isResolved &&
  !/^(?:\.|@stablecoin-checkout\/|@oxc-project\/runtime)/.test(id) &&
  !isOfWorkspace(id, importer)

/**
 * Whether npm installed it for one workspace only, for example because the root has another version: a program in another folder
 * would not find it.
 */
function isOfWorkspace(id, importer) {
  const [scope, name = ''] = id.split('/')
  const folder = join('node_modules', id.startsWith('@') ? `${scope}/${name}` : scope)
  for (let parent = dirname(importer); parent.length >= root.length; parent = dirname(parent)) {
    if (existsSync(join(parent, folder))) return true
  }
  return false
}

/** A module keeps the address of its source, because the files that it reads are there. */
const sourceAddress = {
  name: 'source-address',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, source) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href)),
  },
}

/**
 * Bundles programs, without the packages of the repository's root.
 * @param sources - The path of each source, by program name.
 * @param folder - Below the repository's root, where packages are found. Programs are written as `<name>.js`.
 */
export async function bundlePrograms(sources, folder) {
  const { output } = await build({
    input: sources,
    platform: 'node',
    external: isPackage,
    plugins: [sourceAddress],
    // Includes only the used parts of the service: its entry points for tests name modules that a program need not load.
    treeshake: { moduleSideEffects: [{ test: /\/bff\/src\/(?:index|testing\/\w+)\.ts$/, sideEffects: false }] },
    output: { dir: folder, format: 'esm', chunkFileNames: '[name].js' },
    write: false,
    logLevel: 'warn',
  })
  mkdirSync(folder, { recursive: true })
  for (const { fileName, code } of output) {
    // Written atomically: another demo may be starting from the same folder.
    const file = join(folder, fileName)
    writeFileSync(`${file}.${process.pid}`, code)
    renameSync(`${file}.${process.pid}`, file)
  }
}

/** Bundles the local Solana, which the devnet starts as a process, into the rig's `dist/`. Vitest's global setup calls it. */
export const bundleDevnet = () => bundlePrograms({ solana: path('../devnet/solana/main.ts') }, path('../dist'))

export { bundleDevnet as setup }
