// Builds what is measured, then measures it. Arguments choose parts: http, watcher, solana, webhook, widget, gas, operation.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const build = spawnSync('npm', ['run', '--silent', 'build', '-w', 'widget'], { cwd: root, stdio: 'inherit' })
if (build.status !== 0) process.exit(build.status ?? 1)
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const args = ['--import', 'tsx', main, ...process.argv.slice(2)]
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
