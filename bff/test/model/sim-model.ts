import type { Model } from './model-chain.ts'
import { createModelChain } from './model-chain.ts'
import { otherToken, reorgMax, token } from './network.ts'
import { createSimGround } from './sim-ground.ts'
import { createSimNode } from './sim-node.ts'

const startMs = Date.parse('2026-11-21T12:00:00Z')

/** Everything in memory: thousands of lives a minute. */
export async function openSimModel(): Promise<Model> {
  const chain = createModelChain(createSimGround(startMs, { ours: token, other: otherToken }))
  return { chain, node: createSimNode(chain, reorgMax), rpcUrl: null, close: async () => undefined }
}
