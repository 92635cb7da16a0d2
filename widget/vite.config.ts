import { createHash } from 'node:crypto'
import { defineConfig, type Plugin } from 'vite'

const tag = 'stablecoin-checkout'

// A shell or a test runner may say otherwise, and Lit's development build would be bundled.
process.env['NODE_ENV'] = 'production'

/** Ends the script before Lit runs: on a server there is no DOM, and a second load would register Lit's Trusted Types policy twice. */
const guard = `if(!globalThis.customElements||customElements.get("${tag}"))return;`

/** The same code as an ES module. A module has no `currentScript`; its own address takes that place. */
function asModule(script: string): string {
  const parts = script.split('document.currentScript')
  if (parts.length !== 2)
    throw new Error(`Expected one document.currentScript in the script, found ${parts.length - 1}.`)
  return `${parts.join('({src:import.meta.url})')}export const StablecoinCheckout=globalThis.customElements?.get("${tag}");\n`
}

/**
 * Line breaks stand for nothing in our HTML and CSS, and minified code has none outside of them. Only ASCII, because a
 * classic script is read in the page's encoding, which need not be UTF-8.
 */
function normalize(script: string): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return script.replace(/\s*\n\s*/g, ' ').replace(/[^\0-\x7f]/g, toEscape)
}

/** Drops the spaces of the style literals. They hold no strings with spaces and no nested values. */
function minifyStyles(): Plugin {
  return {
    name: 'minify-styles',
    transform(code, id) {
      if (!id.includes('/src/styles/')) return
      const tight = (styles: string) =>
        styles
          .replace(/\/\*.*?\*\//gs, '')
          .replace(/\s*([{};,>])\s*/g, '$1')
          .replace(/:\s+/g, ':')
      return { code: code.replace(/`[^`]*`/g, tight), map: null }
    },
  }
}

/** Writes the module beside the script, and the hashes for the `integrity` attribute of both. */
function moduleAndIntegrity(): Plugin {
  return {
    name: 'module-and-integrity',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const script = bundle[`${tag}.js`]
        if (script?.type !== 'chunk') throw new Error(`${tag}.js was not built.`)
        script.code = normalize(script.code)
        if (!script.code.includes(`"${tag}"))return`) && !script.code.includes(`\`${tag}\`))return`))
          throw new Error('The guard at the top of the script is gone.')
        const files = { [`${tag}.js`]: script.code, [`${tag}.mjs`]: asModule(script.code) }
        const hashes = Object.entries(files).map(([name, code]) => [
          name,
          `sha384-${createHash('sha384').update(code).digest('base64')}`,
        ])
        this.emitFile({ type: 'asset', fileName: `${tag}.mjs`, source: files[`${tag}.mjs`] ?? '' })
        this.emitFile({
          type: 'asset',
          fileName: 'integrity.json',
          source: `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`,
        })
      },
    },
  }
}

export default defineConfig({
  build: {
    target: 'es2022',
    lib: { entry: 'src/index.ts', formats: ['iife'], name: 'StablecoinCheckout', fileName: () => `${tag}.js` },
    rolldownOptions: { output: { intro: guard, exports: 'none' } },
    reportCompressedSize: false,
  },
  plugins: [minifyStyles(), moduleAndIntegrity()],
})
