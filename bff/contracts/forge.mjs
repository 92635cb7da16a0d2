// Runs `forge test` from npm, offline. forge takes its paths from the working directory, which must be the repository's
// root for the imports to lie inside it, and npm starts scripts elsewhere.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const forge = fileURLToPath(import.meta.resolve('@foundry-rs/forge/bin.mjs'))
const { status } = spawnSync(
  process.execPath,
  [forge, 'test', '--use', 'bff/contracts/solc.mjs', ...process.argv.slice(2)],
  {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, FOUNDRY_CONFIG: 'bff/contracts/foundry.toml' },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
