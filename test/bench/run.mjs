// Builds what is measured, then measures it. Arguments choose parts: http, watcher, postgres, growth, growth-postgres, growth-solana,
// growth-solana-postgres, solana, webhook, widget, gas, rails, signature, operation, dashboard. `--write` keeps the results and makes docs/benchmarks.md of them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundlePrograms } from '@stablecoin-checkout/rig/processes/programs'
import { bundleDemo } from '../../demo/programs.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const build = spawnSync('npm', ['run', '--silent', 'build', '-w', 'widget'], { cwd: root, stdio: 'inherit' })
if (build.status !== 0) process.exit(build.status ?? 1)
const folder = fileURLToPath(new URL('../.results/bench', import.meta.url))
// The shop of the demo is measured too.
await bundleDemo()
await bundlePrograms({ main: fileURLToPath(new URL('./main.ts', import.meta.url)) }, folder)
const args = [`${folder}/main.js`, ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
