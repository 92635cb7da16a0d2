import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const workspaces = [
  { name: 'widget', output: 'widget/dist/stablecoin-checkout.js', sources: ['widget/src', 'widget/package.json'] },
  {
    name: 'bff',
    output: 'bff/dist/main.js',
    sources: ['bff/src', 'bff/dashboard', 'bff/rolldown.config.mjs', 'bff/package.json', 'bff/node-release.mjs'],
  },
]

/**
 * Builds what is missing or older than its sources.
 * @param {(text: string) => void} say
 * @throws {Error} with the build's output.
 */
export function buildWhatIsOld(say) {
  for (const { name, output, sources } of workspaces) {
    if (changedAt(join(root, output)) > Math.max(...sources.map((source) => newestIn(join(root, source))))) continue
    say(`Building the ${name}…`)
    const build = spawnSync('npm', ['run', '--silent', 'build', '-w', name], {
      cwd: root,
      // A test runner sets another mode, in which Lit's development build would be bundled.
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (build.status !== 0) throw new Error(`Building the ${name} failed:\n${build.stdout}${build.stderr}`)
  }
}

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newestIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path)
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
