import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// A shell or a test runner may say otherwise, and Lit's development build would be bundled.
process.env['NODE_ENV'] = 'production'

const service = process.env['CHECKOUT_URL'] ?? 'http://localhost:3000'

/** The dashboard: `npm run build -w bff` writes it to `bff/dist/dashboard`, each page as a file that is loaded with it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  // `npx vite -c bff/dashboard/vite.config.ts` shows what is being written, before a service that runs elsewhere.
  server: { proxy: { '^/(api|pay|stablecoin-checkout|logos)': { target: service } } },
  build: {
    target: 'es2022',
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    reportCompressedSize: false,
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    // The policy of the page allows no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
