import fc from 'fast-check'
import { isNightly } from '../nightly.ts'
import { InvariantError } from './sentences.ts'
import { shrink } from './service/shrink.ts'

/** The date in UTC as a number: 2026-11-24 is 20261124. */
export const seedOfDay = (nowMs: number): number =>
  Number(new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', ''))

/** Of ordinary runs: a run must not fail for a life that the change did not cause. */
const seedOfOrdinaryRuns = 20_261_129

/**
 * The seed of this run's lives. Nightly runs use the day's, read once, so that nothing depends on midnight. `MODEL_SEED` sets another;
 * `npm run soak -- model` runs others endlessly. A failure reports the seed.
 */
export const seed = Number(process.env['MODEL_SEED'] ?? (isNightly ? seedOfDay(Date.now()) : seedOfOrdinaryRuns))

/** Maximum attempts to find a shorter failing life: a quarter of a minute, on Solana a few minutes. */
const trialsMax = 60

export type LivesOf<Step> = {
  family: 'evm' | 'solana'
  lives: fc.Arbitrary<{ settings: object; steps: readonly Step[] }>
  live: (life: never) => Promise<void>
}

/**
 * Runs this many lives of a seed. @throws {Error} for the first that fails: the seed, the invariant, the last steps, and the line
 * that keeps the life.
 */
export async function runLives<Step>(
  { family, lives, live }: LivesOf<Step>,
  seed: number,
  count: number,
): Promise<void> {
  for (const [place, life] of fc.sample(lives, { seed, numRuns: count }).entries()) {
    const failure = await live(life as never).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined) continue
    const isSame = (other: unknown) =>
      other instanceof InvariantError && failure instanceof InvariantError && other.number === failure.number
    const fails = (steps: readonly Step[]) => live({ ...life, steps } as never).then(() => false, isSame)
    const steps = await shrink(life.steps, fails, trialsMax)
    const kept = { found: '', seed, steps: life.steps.length, family, life: { settings: life.settings, steps } }
    const again = `MODEL_SEED=${seed}, life ${place} of ${family}. To keep it, in kept-lives.jsonl:\n${JSON.stringify(kept)}`
    throw new Error(`${failure instanceof Error ? failure.message : String(failure)}\n${again}`, { cause: failure })
  }
}
