// TypeScript programs are bundled before they run: Node 20 cannot run them directly, and a loader costs each start a
// second, plus a thread and a process that can hang it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Packages of this repository; not the bundler's own helpers. */
const isPackage = (id, importer, isResolved) =>
  importer !== undefined && !isResolved && !id.startsWith('.') && !id.startsWith('@oxc-project/runtime')

/** A module keeps its source's URL, because it reads files beside it. */
const sourceAddress = {
  name: 'source-address',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, source) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href)),
  },
}

/**
 * Bundles programs, without the packages that they import.
 * @param sources - Source paths by program name.
 * @param folder - Below the repository's root, where packages are resolved. Programs are `<name>.js` in it.
 */
export async function bundlePrograms(sources, folder) {
  const { output } = await build({
    input: sources,
    platform: 'node',
    external: isPackage,
    plugins: [sourceAddress],
    output: { dir: folder, format: 'esm', chunkFileNames: '[name].js' },
    write: false,
    logLevel: 'warn',
  })
  mkdirSync(folder, { recursive: true })
  for (const { fileName, code } of output) {
    // Another demo may be starting from the same folder: it must read a complete file, old or new.
    const file = join(folder, fileName)
    writeFileSync(`${file}.${process.pid}`, code)
    renameSync(`${file}.${process.pid}`, file)
  }
}

/** Bundles the demo's programs into `dist/`. */
export const bundleDemo = () =>
  bundlePrograms(
    {
      main: path('main.ts'),
      storefront: path('server.ts'),
      relay: path('devnet/relay/server.ts'),
      balancer: path('balancer/server.ts'),
      solana: path('devnet/solana/main.ts'),
    },
    path('dist'),
  )
