import { defineConfig } from 'vite'
import { asAscii, describedForLit, files, loadsBeside, minifyStyles } from './vite.files.ts'
import { shortWords } from './vite.words.ts'

process.env['NODE_ENV'] = 'production'

export default defineConfig({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { entry: 'src/screens/screens.ts', formats: ['es'], fileName: () => files.screens },
    rolldownOptions: { output: { minify: true } },
    reportCompressedSize: false,
  },
  plugins: [
    shortWords(),
    describedForLit(),
    minifyStyles(),
    loadsBeside(
      ...([
        '/src/elsewhere/loader.ts',
        './elsewhere.ts',
        files.elsewhere,
        'import.meta.url',
        "+'.'.repeat(_attempt)",
      ] as const),
    ),
    asAscii(files.screens),
  ],
})
