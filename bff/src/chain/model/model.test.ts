import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lives, type Tally } from './life.ts'

test('whatever the chain, the node, the clock and the power do, no payment counts money that is not there, nor misses any', async () => {
  const tally: Tally = {}
  await fc.assert(lives(tally), { seed: 20_261_121, numRuns: 100 })
  // A model that stopped meeting trouble would prove nothing.
  const troubles = ['crash', 'fault', 'reorg', 'undo', 'close', 'skew', 'node lags', 'node moves', 'node forgets']
  for (const trouble of troubles) {
    expect(tally[trouble], trouble).toBeGreaterThan(10)
  }
}, 120_000)
