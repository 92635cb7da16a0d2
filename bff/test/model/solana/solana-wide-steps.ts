import fc from 'fast-check'
import { proofKinds } from './solana-proofs.ts'
import type { SolanaWorld } from './solana-world.ts'

/*
 * Steps in addition to those of `solana-life.ts`. They are a separate list, so that a seed of the narrower lives still produces
 * the same life.
 */

const a = <T extends string>(type: T) => fc.constant(type)
const index = fc.nat({ max: 3 })

export const solanaWideSteps = [
  {
    arbitrary: fc.record({
      type: a('fork'),
      /** The newest may be confirmed; none is final. */
      blocks: fc.integer({ min: 1, max: 4 }),
      kept: fc.oneof(fc.constant(0xffff), fc.nat({ max: 0xffff })),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ type: a('charge') }), weight: 2 },
  {
    arbitrary: fc.record({
      type: a('prove'),
      index,
      kind: fc.constantFrom(...proofKinds, 'honest' as const, 'honest' as const),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ type: a('present'), index, which: fc.nat({ max: 2 }) }), weight: 5 },
  { arbitrary: fc.record({ type: a('freeze'), isFrozen: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ type: a('remove-token') }), weight: 1 },
  {
    arbitrary: fc.record({
      type: a('lag'),
      worker: fc.constantFrom('watcher' as const, 'watcher' as const, 'sweeper' as const),
      /** Blocks that each node is behind; a finalized block is 4 deep. */
      blocks: fc.tuple(fc.nat({ max: 8 }), fc.constantFrom(0, 0, 1, 8)),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      type: a('window-end'),
      index,
      /** Time of the payment's block, relative to the end of the window. */
      seconds: fc.integer({ min: -2, max: 2 }),
      units: fc.constantFrom(25_000_000, 25_000_000, 15_000_000),
      /** Blocks on top, after which the watcher runs. */
      blocks: fc.nat({ max: 4 }),
      /** Removed blocks, if as many are not final, and which of their transactions land again. */
      forked: fc.nat({ max: 3 }),
      kept: fc.constantFrom(0xffff, 0xffff, 0),
    }),
    weight: 4,
  },
] as const

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never
export type SolanaWideStep = StepOf<(typeof solanaWideSteps)[number]['arbitrary']>

export async function takeSolanaWide(world: SolanaWorld, step: SolanaWideStep): Promise<void> {
  switch (step.type) {
    case 'fork':
      return world.fork(step.blocks, step.kept)
    case 'charge':
      return await world.createCharge()
    case 'prove':
      return await world.prove(step.index, step.kind)
    case 'present':
      return await world.presentProofAgain(step.index, step.which)
    case 'freeze':
      return await world.setFrozen(step.isFrozen)
    case 'remove-token':
      return await world.removeToken()
    case 'lag':
      return void (await world.pass(
        step.worker,
        step.blocks.map((blocks) => ({ type: 'lags', blocks })),
      ))
    case 'window-end': {
      if (!(await world.payAtWindowEnd(step.index, step.seconds, BigInt(step.units)))) return
      if (step.blocks > 0) world.advance(step.blocks)
      await world.pass('watcher', [])
      if (step.forked > 0) world.fork(step.forked, step.kept)
      return void (await world.pass('watcher', []))
    }
    default:
      return step satisfies never
  }
}
