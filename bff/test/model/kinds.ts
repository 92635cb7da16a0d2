import fc from 'fast-check'
import { openAnvilModel } from './anvil-model.ts'
import { type Kind, lies } from './life.ts'
import type { Lie } from './port.ts'
import { openSimModel } from './sim-model.ts'

/** A chain and a node in memory. */
export const simulated: Kind = { open: openSimModel, lies, stepsMax: 80 }

/** Lies that only the adapter can detect; the watcher never sees them. */
const httpLies: fc.Arbitrary<Lie> = fc.oneof(
  { arbitrary: lies, weight: 20 },
  { arbitrary: fc.constant<Lie>({ type: 'hides' }), weight: 2 },
  { arbitrary: fc.constant<Lie>({ type: 'wrongChain' }), weight: 1 },
)

/** A real chain, read over HTTP from a lying node. With two nodes, the other is truthful. */
export const anvil = (nodes: 1 | 2): Kind => ({ open: () => openAnvilModel(nodes), lies: httpLies, stepsMax: 60 })
