import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

// A shell or a test runner may say otherwise, and Lit's development build would be bundled.
process.env['NODE_ENV'] = 'production'

const dist = new URL('dist/', import.meta.url)
const hashedName = 'stablecoin-checkout-[name]-[hash].js'
const common = { target: 'es2022', reportCompressedSize: false }

/** The element and, each when it is first needed, its parts. */
const element: UserConfig = {
  build: {
    ...common,
    lib: { entry: { element: 'src/stablecoin-checkout.ts' }, formats: ['es'], fileName: () => hashedName },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        chunkFileNames: hashedName,
        // All that the first screen needs in one file, Lit included.
        codeSplitting: { groups: [{ name: 'element', test: /src\/stablecoin-checkout\.ts$/ }] },
      },
    },
  },
}

/** What imports the element by its hashed name: the script that a page loads, and the module that a bundler imports. */
function entries(): UserConfig {
  const built = readdirSync(dist).find((name) => /^stablecoin-checkout-element-.+\.js$/.test(name))
  if (!built) throw new Error('The element is built first: npm run build -w widget.')
  const names: Readonly<Record<string, string>> = {
    script: 'stablecoin-checkout.js',
    module: 'stablecoin-checkout.mjs',
  }
  const isElement = (id: string) => id.endsWith('/stablecoin-checkout.ts')
  return {
    build: {
      ...common,
      emptyOutDir: false,
      lib: {
        entry: { script: 'src/loader.ts', module: 'src/index.ts' },
        formats: ['es'],
        fileName: (_format, name) => names[name] ?? '',
      },
      rolldownOptions: {
        external: isElement,
        output: { minify: true, paths: (id) => (isElement(id) ? `./${built}` : id) },
      },
    },
    plugins: [writeIntegrity()],
  }
}

/** Hashes for the `integrity` attribute, or for an import map's `integrity`, of every file. */
function writeIntegrity(): Plugin {
  return {
    name: 'write-integrity',
    closeBundle() {
      const names = readdirSync(dist).filter((name) => /js$/.test(name))
      const hashOf = (name: string) =>
        createHash('sha384')
          .update(readFileSync(new URL(name, dist)))
          .digest('base64')
      const hashes = Object.fromEntries(names.sort().map((name) => [name, `sha384-${hashOf(name)}`]))
      writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(hashes, null, 2)}\n`)
    },
  }
}

export default defineConfig(({ mode }) => (mode === 'entries' ? entries() : element))
