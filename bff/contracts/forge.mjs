// Runs `forge test` from npm, offline. forge takes its paths from the working directory, which must be the repository's
// root for the imports to lie inside it, and npm starts scripts elsewhere.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileDeposits, compileSplitter } from './build.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }

/** The program itself: the npm package's starter ends with 0 whatever happened. */
function forgePath() {
  const require = createRequire(import.meta.resolve('@foundry-rs/forge/package.json'))
  const platform = `@foundry-rs/forge-${process.platform}-${architectures[process.arch]}`
  return require.resolve(`${platform}/bin/${process.platform === 'win32' ? 'forge.exe' : 'forge'}`)
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const { status } = spawnSync(
  forgePath(),
  ['test', '--root', root, '--use', 'bff/contracts/solc.mjs', ...process.argv.slice(2)],
  {
    cwd: root,
    env: {
      ...process.env,
      FOUNDRY_CONFIG: 'bff/contracts/foundry.toml',
      // The tests deploy these bytes, the ones that are shipped; forge compiles only the tests, unoptimised, in a tenth of the time.
      DEPOSIT_FACTORY: compileDeposits().factory.bytecode,
      PAYMENT_SPLITTER: compileSplitter().bytecode,
      PERMIT2: JSON.parse(readFileSync(`${root}bff/test/devnet/permit2.json`, 'utf8')).code,
    },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
