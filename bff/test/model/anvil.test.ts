import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anvil } from './kinds.ts'
import { lives, type Tally } from './life.ts'

/** The soak runs more: a life on a real chain takes about half a second. */
const livesCount = 10
const troubles = ['crash', 'fault', 'reorg', 'undo', 'close', 'skew']
const lies = ['fails', 'lags', 'forgets', 'moves', 'doubles', 'invents', 'hides', 'wrongChain'].map(
  (lie) => `node ${lie}`,
)

const cases = [
  ['the only node', anvil(1), 61],
  ['one of two nodes', anvil(2), 20_261_122],
] as const

test.each(cases)(
  'on a real chain, read over HTTP while %s lies, the service counts nothing false and misses nothing',
  async (_who, kind, seed) => {
    const tally: Tally = {}
    await fc.assert(lives(tally, kind), { seed, numRuns: livesCount })
    // Lives that stopped meeting trouble would prove nothing.
    for (const trouble of [...troubles, ...lies]) expect(tally[trouble], trouble).toBeGreaterThan(0)
  },
  120_000,
)
