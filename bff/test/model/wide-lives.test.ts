import { test } from 'vitest'
import { times } from '../nightly.ts'
import { isOnPostgres } from '../test-database.ts'
import { runLives, seed } from './run-lives.ts'
import { wideEvmLives, wideSolanaLives } from './service-kinds.ts'

/** Lives per run. `npm run soak -- model` runs more. */
const counts = isOnPostgres ? { evm: 3, solana: 1 } : { evm: times(8, 32), solana: times(2, 8) }

test(`with wallet payments and a second process, the invariants hold on an EVM network (MODEL_SEED=${seed})`, async () => {
  await runLives(wideEvmLives, seed, counts.evm)
}, 600_000)

test(`with forks and paid requests, the invariants hold on Solana (MODEL_SEED=${seed})`, async () => {
  await runLives(wideSolanaLives, seed, counts.solana)
}, 600_000)
