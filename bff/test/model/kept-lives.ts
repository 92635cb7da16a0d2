import { readFileSync } from 'node:fs'
import { type Life, live } from './service/service-life.ts'
import { liveOnSolana, type SolanaLife } from './solana/solana-life.ts'

/**
 * A life that failed once, or is close to one that did, with as few steps as needed. `seed`: the seed that found it; null:
 * written by hand.
 */
export type KeptLife = { found: string; seed: number | null; steps: number } & (
  | { family: 'evm'; life: Life }
  | { family: 'solana'; life: SolanaLife }
)

export const keptLives: readonly KeptLife[] = readFileSync(new URL('./kept-lives.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as KeptLife)

export const liveAgain = (kept: KeptLife): Promise<void> =>
  kept.family === 'evm' ? live(kept.life) : liveOnSolana(kept.life)
