import { defineConfig } from 'vite'
import { asAscii, describedForLit, files, minifyStyles } from './vite.files.ts'
import { shortWords } from './vite.words.ts'

process.env['NODE_ENV'] = 'production'

export default defineConfig({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { entry: 'src/elsewhere/elsewhere.ts', formats: ['es'], fileName: () => files.elsewhere },
    rolldownOptions: { output: { minify: true } },
    reportCompressedSize: false,
  },
  plugins: [shortWords(), describedForLit(), minifyStyles(), asAscii(files.elsewhere)],
})
