import { test } from 'vitest'
import { times } from '../nightly.ts'
import { isOnPostgres } from '../test-database.ts'
import { runLives, seed } from './run-lives.ts'
import { evmLives, solanaLives } from './service-kinds.ts'

/** Lives per run. `npm run soak -- model` runs more. */
const counts = isOnPostgres ? { evm: 5, solana: 1 } : { evm: times(30, 120), solana: times(3, 12) }

test(`whatever happens on an EVM network, the invariants hold (MODEL_SEED=${seed})`, async () => {
  await runLives(evmLives, seed, counts.evm)
}, 600_000)

test(`whatever happens on Solana, the invariants hold (MODEL_SEED=${seed})`, async () => {
  await runLives(solanaLives, seed, counts.solana)
}, 600_000)
