import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { transform } from 'lightningcss'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

// A shell or test runner may set another mode, and Lit's development build would be bundled.
process.env['NODE_ENV'] = 'production'

const dist = new URL('dist/', import.meta.url)
/** 42 bits distinguish the builds of a part. The first load names seventeen parts, and its size has a limit. */
const hashedName = 'stablecoin-checkout-[name]-[hash:7].js'
const common = { target: 'es2022', reportCompressedSize: false }

/** The element, and its lazily loaded parts. */
const element: UserConfig = {
  build: {
    ...common,
    // The licences of bundled packages, as they require.
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    lib: { entry: { element: 'src/stablecoin-checkout.ts' }, formats: ['es'], fileName: () => hashedName },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        // Hints for a bundler of what may be dropped: nothing of the element may.
        comments: { annotation: false },
        chunkFileNames: hashedName,
        codeSplitting: {
          groups: [
            // One file for the first screen, Lit included; one for all other screens.
            { name: 'element', test: /src\/stablecoin-checkout\.ts$/, priority: 2 },
            { name: 'screens', test: /src\/screens\.ts$/, priority: 1 },
            { name: 'appkit-icons', test: /@phosphor-icons/ },
          ],
        },
      },
    },
  },
  plugins: [minifyStyles()],
}

/** Vite minifies scripts and CSS files; the element's styles are CSS in templates of a script. */
function minifyStyles(): Plugin {
  return {
    name: 'minify-styles',
    enforce: 'post',
    transform(code, id) {
      if (!id.includes('/widget/src/') || !code.includes('css`')) return null
      const found = templatesIn(this.parse(code))
      const short = ({ start, end }: Range) =>
        transform({ filename: id, code: Buffer.from(code.slice(start, end)), minify: true }).code.toString()
      // From the end, so that the ranges before stay right.
      const minified = found
        .sort((one, other) => other.start - one.start)
        .reduce((text, range) => text.slice(0, range.start) + short(range) + text.slice(range.end), code)
      return { code: minified, map: null }
    },
  }
}

type Range = { start: number; end: number }

/** Where the text of each css`…` template without expressions stands. */
function templatesIn(node: unknown): Range[] {
  if (node === null || typeof node !== 'object') return []
  const { type, tag, quasi } = node as { type?: string; tag?: { name?: string }; quasi?: { quasis: Range[] } }
  const isCss = type === 'TaggedTemplateExpression' && tag?.name === 'css'
  const [text, ...others] = (isCss && quasi?.quasis) || []
  if (text && others.length === 0) return [text]
  return Object.values(node).flatMap(templatesIn)
}

/** The entry that imports the element by its hashed name: the script for pages, or the module for bundlers. */
function entry(source: string, format: 'iife' | 'es', fileName: string): UserConfig {
  const built = readdirSync(dist).find((name) => /^stablecoin-checkout-element-.+\.js$/.test(name))
  if (!built) throw new Error('Build the element first: npm run build -w widget.')
  const isElement = (id: string) => id.endsWith('/stablecoin-checkout.ts')
  return {
    build: {
      ...common,
      emptyOutDir: false,
      lib: { entry: source, name: 'stablecoinCheckout', formats: [format], fileName: () => fileName },
      rolldownOptions: {
        external: isElement,
        output: { minify: true, paths: (id) => (isElement(id) ? `./${built}` : id) },
      },
    },
    plugins: [writeIntegrity()],
  }
}

/** Hashes of every file, for `integrity` attributes or an import map's `integrity`. */
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

/** For `vite build --mode script`. */
const entries: Readonly<Record<string, () => UserConfig>> = {
  // A classic script shares the page's global scope: its names stay in a function.
  script: () => entry('src/loader.ts', 'iife', 'stablecoin-checkout.js'),
  module: () => entry('src/index.ts', 'es', 'stablecoin-checkout.mjs'),
}

export default defineConfig(({ mode }) => entries[mode]?.() ?? element)
