// Deploys the contracts to a chain: `npm run deploy -w bff -- --rpc-url URL`.
import { deployCommand } from '../src/chain/deploy-command.ts'

process.exitCode = await deployCommand(process.argv.slice(2), {
  env: process.env,
  write: (text) => process.stdout.write(text),
})
