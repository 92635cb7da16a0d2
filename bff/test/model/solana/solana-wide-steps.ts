import fc from 'fast-check'
import { proofKinds } from './solana-proofs.ts'
import type { SolanaWorld } from './solana-world.ts'

/*
 * What can happen beside the steps of `solana-life.ts`. They are a list of their own, so that a seed of the narrower lives still lives what
 * it lived before.
 */

const a = <T extends string>(type: T) => fc.constant(type)
const index = fc.nat({ max: 3 })

export const solanaWideSteps = [
  {
    arbitrary: fc.record({
      type: a('fork'),
      /** The newest of them may be confirmed; none is final. */
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
    default:
      return step satisfies never
  }
}
