// Runs `forge test` from npm, offline. forge takes its paths from the working directory, which must be the repository's
// root for the imports to lie inside it, and npm starts scripts elsewhere.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileDeposits } from './build.mjs'

const forge = fileURLToPath(import.meta.resolve('@foundry-rs/forge/bin.mjs'))
const root = fileURLToPath(new URL('../../', import.meta.url))
const isJson = process.argv.includes('--json')
const { status, stdout } = spawnSync(
  process.execPath,
  [forge, 'test', '--root', root, '--use', 'bff/contracts/solc.mjs', ...process.argv.slice(2)],
  {
    cwd: root,
    env: {
      ...process.env,
      FOUNDRY_CONFIG: 'bff/contracts/foundry.toml',
      // The tests deploy these bytes, the ones that are shipped; forge compiles only the tests, unoptimised, in a tenth of the time.
      DEPOSIT_FACTORY: compileDeposits().factory.bytecode,
    },
    stdio: ['ignore', isJson ? 'pipe' : 'inherit', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
  },
)
process.exitCode = status ?? 1
if (isJson) {
  process.stdout.write(stdout)
  // With `--json` forge 1.7.1 ends with 0 although tests failed.
  if (/"status":"Failure"/.test(String(stdout))) process.exitCode = 1
}
