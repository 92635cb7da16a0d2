// The model test, or several replicas under load, for as long as wanted: `npm run soak -- [anvil] [minutes] [seed]`,
// `npm run soak -- replicas [minutes] [creates a second]`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const args = ['--import', 'tsx', main, ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
