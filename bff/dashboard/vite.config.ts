import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// A shell or test runner may set another mode, and Lit's development build would be bundled.
process.env['NODE_ENV'] = 'production'

const service = process.env['CHECKOUT_URL'] ?? 'http://localhost:3000'

/** The dashboard: `npm run build -w bff` writes it to `bff/dist/dashboard`, one chunk per page. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  // `npx vite -c bff/dashboard/vite.config.ts` serves the sources during development, with a running service behind.
  server: { proxy: { '^/(api|pay|stablecoin-checkout|logos)': { target: service } } },
  build: {
    target: 'es2022',
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    reportCompressedSize: false,
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    // The page's CSP allows no `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: ['index.html', 'setup.html', 'till.html'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
  },
})
