import type { LivesOf } from './run-lives.ts'
import { arbitraryLives, arbitraryWideLives, live, type Step } from './service/service-life.ts'
import { arbitrarySolanaLives, arbitraryWideSolanaLives, liveOnSolana, type SolanaStep } from './solana/solana-life.ts'

/** Maximum steps of one life. */
const stepsMax = { evm: 60, solana: 40 }

/** The whole service, with its API, on one network per family. */
export const evmLives: LivesOf<Step> = { family: 'evm', lives: arbitraryLives(stepsMax.evm), live }
/** `evmLives` with the steps that were added later. */
export const wideEvmLives: LivesOf<Step> = { family: 'evm', lives: arbitraryWideLives(stepsMax.evm), live }
export const solanaLives: LivesOf<SolanaStep> = {
  family: 'solana',
  lives: arbitrarySolanaLives(stepsMax.solana),
  live: liveOnSolana,
}
export const wideSolanaLives: LivesOf<SolanaStep> = {
  family: 'solana',
  lives: arbitraryWideSolanaLives(stepsMax.solana),
  live: liveOnSolana,
}
