import { defineConfig, type Plugin } from 'vite'
import { files, loadsBeside, minifyStyles, normalize } from './vite.files.ts'

process.env['NODE_ENV'] = 'production'

/**
 * The script's own Lit draws what this file describes: a second one would ask for its Trusted Types policy again, which a
 * strict page refuses. The two names are what Lit itself promises to keep, so that its versions can meet on one page.
 */
function describedForLit(): Plugin {
  const source = `export const html=(strings,...values)=>({_$litType$:1,strings,values});
export const nothing=Symbol.for('lit-nothing');`
  return {
    name: 'described-for-lit',
    enforce: 'pre',
    resolveId: (id) => (id === 'lit/html.js' ? '\0lit-html' : null),
    load: (id) => (id === '\0lit-html' ? source : null),
  }
}

function asAscii(): Plugin {
  return {
    name: 'as-ascii',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunk = bundle[files.wallet]
        if (chunk?.type !== 'chunk') throw new Error(`${files.wallet} was not built.`)
        chunk.code = normalize(chunk.code)
      },
    },
  }
}

export default defineConfig({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { entry: 'src/wallet/wallet-path.ts', formats: ['es'], fileName: () => files.wallet },
    rolldownOptions: { output: { minify: true } },
    reportCompressedSize: false,
  },
  plugins: [
    describedForLit(),
    minifyStyles(),
    loadsBeside('/src/wallet/walletconnect-loader.ts', './walletconnect.ts', files.walletconnect, 'import.meta.url'),
    asAscii(),
  ],
})
