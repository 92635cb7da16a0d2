// The model test, or several replicas under load, for as long as wanted: `npm run soak -- [anvil | model] [minutes] [seed]`,
// `npm run soak -- replicas [minutes] [creates a second]`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundleDevnet, bundlePrograms } from '@stablecoin-checkout/rig/processes/programs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('../.results/soak', import.meta.url))
await bundleDevnet()
await bundlePrograms({ main: fileURLToPath(new URL('./main.ts', import.meta.url)) }, folder)
const args = [`${folder}/main.js`, ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
