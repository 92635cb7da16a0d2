import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOnPostgres } from '../test-database.ts'
import { createInvariants } from './invariants.ts'
import { simulated } from './kinds.ts'
import { lives, type Tally } from './life.ts'
import { confirmations } from './network.ts'
import { openSimModel } from './sim-model.ts'
import { due, openWorld } from './world.ts'

test('whatever the chain, the node, the clock and crashes do, no payment counts money that is not there, or misses any', async () => {
  const tally: Tally = {}
  const numRuns = isOnPostgres ? 40 : 100
  await fc.assert(lives(tally, simulated), { seed: 20_261_121, numRuns })
  // A model that stopped meeting trouble would prove nothing.
  const troubles = ['crash', 'fault', 'reorg', 'undo', 'close', 'skew', 'node lags', 'node moves', 'node forgets']
  for (const trouble of troubles) {
    expect(tally[trouble], trouble).toBeGreaterThan(numRuns / 10)
  }
}, 300_000)

test("a payment paid before the node's first successful read is seen, however deep it is by then", async () => {
  const world = await openWorld(await openSimModel())
  try {
    await world.mine(2_000, 2)
    await world.create({ windowSeconds: 60, isTest: false })
    world.pay(0, due, true)
    await world.mine(1, 2)
    await world.mine(3_000, 2)
    expect(await world.pass({ type: 'fails', call: 0 })).toBe('fault')
    while ((await world.pass({ type: 'none' })) === 'more');
    await createInvariants(world).checkAgainstChain()
  } finally {
    await world.end()
  }
})

test('while a chain is stalled nothing expires, and a payment paid in time is paid once it continues', async () => {
  const world = await openWorld(await openSimModel())
  try {
    await world.create({ windowSeconds: 60, isTest: false })
    await world.create({ windowSeconds: 60, isTest: false })
    world.pay(0, due, true)
    await world.mine(1, 30)
    await world.pass({ type: 'none' })
    world.skew(20 * 60_000)
    await world.pass({ type: 'none' })
    expect(await world.statuses()).toEqual(['pending', 'pending'])

    world.skew(0)
    for (let blocks = 1; blocks < confirmations; blocks += 1) {
      await world.mine(1, 600)
      await world.pass({ type: 'none' })
    }
    expect(await world.statuses()).toEqual(['sweeping', 'pending'])
    await world.mine(1, 600)
    await world.pass({ type: 'none' })
    expect(await world.statuses()).toEqual(['sweeping', 'expired'])
  } finally {
    await world.end()
  }
})
