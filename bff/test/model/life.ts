import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { createInvariants } from './invariants.ts'
import type { Model } from './model-chain.ts'
import { confirmations, reorgMax } from './network.ts'
import type { Lie } from './port.ts'
import { type Crash, due, openWorld, type World } from './world.ts'

/** One step of a life. */
type Step =
  | { type: 'create'; windowSeconds: number; isTest: boolean }
  | { type: 'pay'; index: number; amount: bigint; isOurToken: boolean }
  | { type: 'mine'; blocks: number; seconds: number }
  | { type: 'reorg'; depth: number; longer: number; kept: number; isFirst: boolean }
  | { type: 'undo' }
  | { type: 'close'; index: number }
  | { type: 'skew'; ms: number }
  | { type: 'pass'; lie: Lie; crash?: Crash }

const bits = fc.nat({ max: 0xffff })
const call = fc.nat({ max: 7 })
const a = <T extends string>(type: T) => fc.constant(type)

/** A node's faults, whatever interface reads it. */
export const lies: fc.Arbitrary<Lie> = fc.oneof(
  { arbitrary: fc.constant<Lie>({ type: 'none' }), weight: 8 },
  { arbitrary: fc.record({ type: a('fails'), call }), weight: 3 },
  { arbitrary: fc.record({ type: a('lags'), blocks: fc.integer({ min: 1, max: 20 }) }), weight: 3 },
  { arbitrary: fc.record({ type: a('forgets'), call }), weight: 3 },
  {
    arbitrary: fc.record({
      type: a('moves'),
      call,
      depth: fc.integer({ min: 1, max: reorgMax }),
      kept: bits,
    }),
    weight: 3,
  },
  { arbitrary: fc.constant<Lie>({ type: 'doubles' }), weight: 1 },
  { arbitrary: fc.constant<Lie>({ type: 'invents' }), weight: 1 },
)

const crashes = fc.record({
  nth: fc.integer({ min: 1, max: 3 }),
  at: fc.constantFrom('inside' as const, 'after' as const),
})

const amounts = fc.constantFrom(due, due, due / 2n, due / 2n + 1n, due + 7n, 1n, 0n)
const index = fc.nat({ max: 15 })

const creates = fc.record({
  type: a('create'),
  windowSeconds: fc.integer({ min: 1, max: 60 }),
  isTest: sometimes(8),
})
const pays = fc.record({ type: a('pay'), index, amount: amounts, isOurToken: sometimes(8).map((is) => !is) })
const mines = fc.record({
  type: a('mine'),
  blocks: fc.integer({ min: 1, max: 4 }),
  seconds: fc.integer({ min: 0, max: 12 }),
})
const reorgs = fc.record({
  type: a('reorg'),
  depth: fc.integer({ min: 1, max: reorgMax }),
  longer: fc.integer({ min: -1, max: 2 }),
  kept: bits,
  isFirst: fc.boolean(),
})
const skews = fc.record({ type: a('skew'), ms: fc.constantFrom(0, 0, 600_000, -600_000, 15_000, -15_000) })

const steps = (lies: fc.Arbitrary<Lie>): fc.Arbitrary<Step> =>
  fc.oneof(
    { arbitrary: creates, weight: 3 },
    { arbitrary: pays, weight: 8 },
    { arbitrary: mines, weight: 8 },
    { arbitrary: reorgs, weight: 3 },
    { arbitrary: fc.record({ type: a('undo') }), weight: 1 },
    { arbitrary: fc.record({ type: a('close'), index }), weight: 1 },
    { arbitrary: skews, weight: 1 },
    { arbitrary: fc.record({ type: a('pass'), lie: lies }), weight: 16 },
    { arbitrary: fc.record({ type: a('pass'), lie: lies, crash: crashes }), weight: 2 },
  )

function sometimes(oneIn: number): fc.Arbitrary<boolean> {
  return fc.nat({ max: oneIn - 1 }).map((number) => number === 0)
}

/** Counts of what one or more runs met. */
export type Tally = Record<string, number>

/** The ground of a life: a chain, a node, and the node's faults. */
export type Kind = { open: () => Promise<Model>; lies: fc.Arbitrary<Lie>; stepsMax: number }

function count(tally: Tally, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1
}

async function take(world: World, step: Step, tally: Tally): Promise<void> {
  switch (step.type) {
    case 'create':
      return await world.create(step)
    case 'pay':
      return world.pay(step.index, step.amount, step.isOurToken)
    case 'mine':
      return await world.mine(step.blocks, step.seconds)
    case 'reorg':
      return await world.chain.reorg({ ...step, max: reorgMax })
    case 'undo':
      return await world.chain.undo(reorgMax)
    case 'close':
      return await world.close(step.index)
    case 'skew':
      return world.skew(step.ms)
    case 'pass': {
      const end = await world.pass(step.lie, step.crash)
      if (end === 'crash' || end === 'fault') count(tally, end)
      if (step.lie.type !== 'none') count(tally, `node ${step.lie.type}`)
      return
    }
    default:
      return step satisfies never
  }
}

/** Longer than every window, and than any error of the clock. */
const allWindowsSeconds = 3_600

/** Continues with an honest node and a correct clock until nothing is new. @throws {Error} when that takes too long. */
async function settleDown(world: World): Promise<void> {
  world.skew(0)
  await world.mine(1, allWindowsSeconds)
  // Makes a shortened chain longer than it was.
  await world.mine(reorgMax + 2, 1)
  for (let passes = 0; passes < 10; passes += 1) await world.pass({ type: 'none' })
  // Blocks read immediately are read again once confirmed, and only then do windows end.
  await world.mine(confirmations, 1)
  for (let passes = 0; passes < 3; passes += 1) await world.pass({ type: 'none' })
}

/**
 * Random lives of the watcher: payments, blocks, reorgs, the node's lies, crashes and wrong clocks in any order. The invariants
 * hold after every step, and at the end the records match the chain.
 */
export function lives(tally: Tally, { open, lies, stepsMax }: Kind) {
  return fc.asyncProperty(fc.array(steps(lies), { minLength: 10, maxLength: stepsMax, size: 'max' }), async (life) => {
    const world = await openWorld(await open())
    try {
      const invariants = createInvariants(world)
      await world.create({ windowSeconds: 30, isTest: false })
      await world.create({ windowSeconds: 30, isTest: true })
      for (const step of life) {
        await take(world, step, tally)
        await invariants.check()
        count(tally, step.type)
      }
      await settleDown(world)
      await invariants.check()
      await invariants.checkAgainstChain()
      assert.deepEqual(await world.differences(), [])
      count(tally, 'lives')
    } finally {
      await world.end()
    }
  })
}
