import { defineConfig, type Plugin } from 'vite'
import { files, loadsBeside, minifyStyles, normalize, tag, writeIntegrity } from './vite.files.ts'
import { shortWords, wordsBeside } from './vite.words.ts'

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

/** Writes the module beside the script. */
function moduleToo(): Plugin {
  return {
    name: 'module-too',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const script = bundle[files.script]
        if (script?.type !== 'chunk') throw new Error(`${files.script} was not built.`)
        script.code = normalize(script.code)
        if (!script.code.includes(`"${tag}"))return`) && !script.code.includes(`\`${tag}\`))return`))
          throw new Error('The guard at the top of the script is gone.')
        this.emitFile({ type: 'asset', fileName: files.module, source: asModule(script.code) })
      },
    },
  }
}

export default defineConfig({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { entry: 'src/index.ts', formats: ['iife'], name: 'StablecoinCheckout', fileName: () => files.script },
    rolldownOptions: { output: { intro: guard, exports: 'none' } },
    reportCompressedSize: false,
  },
  plugins: [
    shortWords(),
    minifyStyles(),
    loadsBeside('/src/wallet-loader.ts', './wallet/paths.ts', files.wallet, 'scriptUrl', "+'.'.repeat(_attempt)"),
    loadsBeside('/src/wallet-loader.ts', './screens/screens.ts', files.screens, 'scriptUrl', "+'.'.repeat(_attempt)"),
    loadsBeside('/src/wallet-loader.ts', './offer/offer.ts', files.offer, 'scriptUrl', "+'.'.repeat(_attempt)"),
    wordsBeside('/src/wallet-loader.ts'),
    moduleToo(),
    writeIntegrity(),
  ],
})
