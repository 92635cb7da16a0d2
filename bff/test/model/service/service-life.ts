import fc from 'fast-check'
import { InvariantError } from '../sentences.ts'
import type { Crash } from './crashing-database.ts'
import type { NodeFault } from './evm-node.ts'
import { rest } from './rest.ts'
import { workerNames } from './service.ts'
import { createInvariants } from './service-invariants.ts'
import { reorgMax, type Settings } from './service-site.ts'
import { openWorld, type World } from './service-world.ts'
import { takeWide, type WideStep, wideSteps } from './wide-steps.ts'

const a = <T extends string>(type: T) => fc.constant(type)
const index = fc.nat({ max: 7 })
const bits = fc.nat({ max: 0xffff })
const call = fc.nat({ max: 9 })
const sometimes = (oneIn: number) => fc.nat({ max: oneIn - 1 }).map((number) => number === 0)

const faults: fc.Arbitrary<NodeFault> = fc.oneof(
  { arbitrary: fc.constant<NodeFault>({ type: 'none' }), weight: 12 },
  { arbitrary: fc.constant<NodeFault>({ type: 'down' }), weight: 1 },
  { arbitrary: fc.record({ type: a('fails'), call }), weight: 2 },
  { arbitrary: fc.record({ type: a('lags'), blocks: fc.integer({ min: 1, max: 12 }) }), weight: 2 },
  { arbitrary: fc.record({ type: a('logs-lag'), blocks: fc.integer({ min: 1, max: 3 }) }), weight: 2 },
  { arbitrary: fc.constant<NodeFault>({ type: 'forgets-receipts' }), weight: 3 },
  { arbitrary: fc.constant<NodeFault>({ type: 'hides-logs' }), weight: 1 },
  {
    arbitrary: fc.record({ type: a('moves'), call, depth: fc.integer({ min: 1, max: reorgMax }), kept: bits }),
    weight: 2,
  },
)

const crashes = fc.record({
  nth: fc.integer({ min: 1, max: 3 }),
  at: fc.constantFrom('inside' as const, 'after' as const),
})

const part = fc.record({
  index,
  part: fc.constantFrom(100, 100, 100, 50, 96, 95, 94, 5, 4, 110, 0),
  more: fc.constantFrom(0, 0, 0, 1, -1, 7),
  isOther: sometimes(12),
})

const create = fc.record({
  type: a('create'),
  kind: fc.constantFrom('plain' as const, 'plain' as const, 'plain' as const, 'bridge' as const, 'charge' as const),
  amount: fc.constantFrom(25, 25, 25, 150),
  symbol: fc.constantFrom('USDC' as const, 'USDC' as const, 'USDT' as const),
})

/** One step of a life. */
const weighted = [
  { arbitrary: create, weight: 4 },
  {
    arbitrary: fc.record({
      type: a('pay'),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      payer: fc.nat({ max: 2 }),
    }),
    weight: 12,
  },
  {
    arbitrary: fc.record({
      type: a('mine'),
      blocks: fc.constantFrom(1, 1, 2, 6, 6, 12),
      seconds: fc.constantFrom(1, 2, 12, 12),
    }),
    weight: 10,
  },
  // What nearly always works: blocks are made, and every worker runs.
  { arbitrary: fc.record({ type: a('tick'), blocks: fc.constantFrom(1, 1, 3, 6) }), weight: 12 },
  { arbitrary: fc.record({ type: a('wait'), seconds: fc.constantFrom(60, 950, 950, 4_000) }), weight: 2 },
  {
    arbitrary: fc.record({
      type: a('reorg'),
      depth: fc.integer({ min: 1, max: reorgMax }),
      longer: fc.integer({ min: -1, max: 2 }),
      kept: fc.oneof(fc.constant(0xffff), bits),
      place: fc.constantFrom('first' as const, 'last' as const, 'spread' as const),
      isReversed: fc.boolean(),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      type: a('work'),
      worker: fc.constantFrom(...workerNames, 'watcher' as const, 'watcher' as const, 'sweeper' as const),
      faults: fc.tuple(faults, faults),
      isFormer: sometimes(8),
    }),
    weight: 16,
  },
  {
    arbitrary: fc.record({
      type: a('work'),
      worker: fc.constantFrom('watcher' as const, 'sweeper' as const),
      faults: fc.tuple(faults, faults),
      crash: crashes,
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ type: a('restart') }), weight: 1 },
  { arbitrary: fc.record({ type: a('take-over') }), weight: 1 },
  {
    arbitrary: fc.record({
      type: a('sign'),
      index,
      by: fc.constantFrom('service' as const, 'service' as const, 'stranger' as const, 'both' as const),
      isGarbage: sometimes(6),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ type: a('present'), index, which: fc.nat({ max: 2 }) }), weight: 4 },
  { arbitrary: fc.record({ type: a('steal'), index, which: fc.nat({ max: 2 }) }), weight: 1 },
  { arbitrary: fc.record({ type: a('settle'), index }), weight: 1 },
  { arbitrary: fc.record({ type: a('refund'), index }), weight: 4 },
  { arbitrary: fc.record({ type: a('accept'), index }), weight: 2 },
  { arbitrary: fc.record({ type: a('fail'), index }), weight: 1 },
  {
    arbitrary: fc.record({
      type: a('bridge'),
      index,
      status: fc.constantFrom('pending', 'delayed', 'success', 'success', 'refund') as fc.Arbitrary<
        'pending' | 'delayed' | 'success' | 'refund'
      >,
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ type: a('block'), isBlocked: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ type: a('gas'), isEmpty: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ type: a('replace-token') }), weight: 1 },
] as const

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Step = (StepOf<(typeof weighted)[number]['arbitrary']> & { crash?: Crash }) | WideStep
export type Life = { settings: Settings; steps: readonly Step[] }

const narrowSettings: fc.Arbitrary<Settings> = fc.record({
  toleranceBps: fc.constantFrom(0, 0, 500),
  latePayments: fc.constantFrom('report' as const, 'report' as const, 'accept' as const),
})

const wideSettings: fc.Arbitrary<Settings> = fc
  .tuple(
    narrowSettings,
    fc.constantFrom(1 as const, 2 as const),
    fc.constantFrom('forwarder' as const, 'forwarder' as const, 'xpub' as const, 'virtual' as const),
    fc.constantFrom(true, true, false),
  )
  .map(([narrow, replicas, deposits, hasBlooms]) => ({ ...narrow, replicas, deposits, hasBlooms }))

/** Each life omits half of the possible steps, so that the others meet more often. */
const always: readonly string[] = ['create', 'pay', 'mine', 'work']

type Weighted = readonly { arbitrary: fc.Arbitrary<Step>; weight: number }[]

/**
 * Random lives. @param stepsMax - Maximum steps of one life. @param without - Types of steps that never happen. @param more -
 * Additional steps.
 */
export function arbitraryLives(
  stepsMax: number,
  without: readonly string[] = [],
  more: Weighted = [],
  settings: fc.Arbitrary<Settings> = narrowSettings,
): fc.Arbitrary<Life> {
  const all = [...(weighted as Weighted), ...more].map((one) => ({
    ...one,
    type: fc.sample(one.arbitrary, { numRuns: 1, seed: 1 })[0]?.type ?? '',
  }))
  const first = fc.array(create as fc.Arbitrary<Step>, { minLength: 2, maxLength: 4 })
  return fc.record({ settings, omitted: bits }).chain(({ settings, omitted }) => {
    const isOmitted = (type: string, place: number) =>
      without.includes(type) || (!always.includes(type) && ((omitted >> (place % 16)) & 1) === 1)
    const some = all.map((one, place) => ({ ...one, weight: isOmitted(one.type, place) ? 0 : one.weight }))
    const others = fc.array(fc.oneof(...some), { minLength: 20, maxLength: stepsMax, size: 'max' })
    const steps = fc.tuple(first, others).map(([creates, later]) => [...creates, ...later])
    return fc.record({ settings: fc.constant(settings), steps })
  })
}

/** Lives that combine wallet payments, second replicas and worse tokens with the other steps. */
export const arbitraryWideLives = (stepsMax: number): fc.Arbitrary<Life> =>
  arbitraryLives(stepsMax, [], wideSteps(faults) as Weighted, wideSettings)

/** Counts of what the lives met. */
export type Tally = Record<string, number>

async function take(world: World, step: Step): Promise<string | undefined> {
  switch (step.type) {
    case 'create':
      return void (await world.create(step))
    case 'pay':
      return world.pay(step.parts, step.payer) as undefined
    case 'mine':
      return void (await world.chain.mine(step.blocks, step.seconds))
    case 'tick':
      await world.chain.mine(step.blocks, 12)
      for (const worker of ['watcher', 'sweeper', 'unmatched'] as const) await world.pass(worker, [])
      return undefined
    case 'wait':
      return world.chain.wait(step.seconds) as undefined
    case 'reorg':
      return void (await world.reorg(step.depth, step.longer, step))
    case 'work': {
      const end = await world.pass(step.worker, step.faults, {
        dies: step.crash,
        isFormer: 'isFormer' in step && step.isFormer,
      })
      return typeof end === 'string' ? end : 'fault'
    }
    case 'restart':
      return void (await world.restart())
    case 'take-over':
      return void (await world.takeOver())
    case 'sign':
      return void (await world.signAndSend(step.index, step.by, step.isGarbage))
    case 'present':
      return void (await world.presentAgain(step.index, step.which))
    case 'steal':
      return void (await world.steal(step.index, step.which))
    case 'settle':
      return void (await world.settleAsStranger(step.index))
    case 'refund':
      return void (await world.requestRefund(step.index))
    case 'accept':
      return void (await world.acceptLate(step.index))
    case 'fail':
      return void (await world.fail(step.index))
    case 'bridge':
      return void (await world.moveBridge(step.index, step.status))
    case 'block':
      return world.setBlocked(step.isBlocked) as undefined
    case 'gas':
      return world.setGas(step.isEmpty) as undefined
    case 'replace-token':
      return void (await world.replaceToken())
    default:
      return void (await takeWide(world, step))
  }
}

/** Runs a life. @throws {InvariantError} naming the violated invariant, with the last steps. */
export async function live({ settings, steps }: Life, tally: Tally = {}): Promise<void> {
  const world = await openWorld(settings)
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1
  }
  const taken: Step[] = []
  try {
    const invariants = createInvariants(world)
    for (const step of steps) {
      taken.push(step)
      count(step.type)
      const end = await take(world, step)
      if (end) count(end)
      await invariants.check()
    }
    await rest(world)
    await invariants.check()
    await invariants.checkAtRest()
    count('lives')
  } catch (error) {
    if (error instanceof InvariantError) error.tell(taken)
    throw error
  } finally {
    await world.end()
  }
}
