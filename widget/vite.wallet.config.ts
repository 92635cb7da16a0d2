import { defineConfig } from 'vite'
import { asAscii, describedForLit, files, loadsBeside, minifyStyles } from './vite.files.ts'
import { shortWords } from './vite.words.ts'

process.env['NODE_ENV'] = 'production'

export default defineConfig({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { entry: 'src/wallet/paths.ts', formats: ['es'], fileName: () => files.wallet },
    rolldownOptions: { output: { minify: true } },
    reportCompressedSize: false,
  },
  plugins: [
    shortWords(),
    describedForLit(),
    minifyStyles(),
    loadsBeside('/src/wallet/walletconnect-loader.ts', './walletconnect.ts', files.walletconnect, 'import.meta.url'),
    loadsBeside(
      '/src/wallet/solana-loader.ts',
      '../solana/solana-path.ts',
      files.solana,
      'import.meta.url',
      "+'.'.repeat(_attempt)",
    ),
    asAscii(files.wallet),
  ],
})
