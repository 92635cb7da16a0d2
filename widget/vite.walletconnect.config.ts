import { defineConfig } from 'vite'
import { files } from './vite.files.ts'

process.env['NODE_ENV'] = 'production'

export default defineConfig({
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'es2022',
    lib: { entry: 'src/wallet/walletconnect.ts', formats: ['es'], fileName: () => files.walletconnect },
    // One file beside the others, so that whoever serves them copies four names and no folder of hashed ones.
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
    reportCompressedSize: false,
  },
})
