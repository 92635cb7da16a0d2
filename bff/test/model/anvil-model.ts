import { startAnvil } from '../devnet/anvil.ts'
import { openLyingNode } from '../lying-node.ts'
import { createAnvilGround } from './anvil-ground.ts'
import { createAnvilNode } from './anvil-node.ts'
import type { Model } from './model-chain.ts'
import { createModelChain } from './model-chain.ts'
import { network } from './network.ts'

/** A real anvil for one life, read over HTTP from a lying node; with two nodes, the other is truthful. */
export async function openAnvilModel(nodes: 1 | 2): Promise<Model> {
  const anvil = await startAnvil({ chainId: network.chainId })
  try {
    const chain = createModelChain(await createAnvilGround(anvil.rpcUrl))
    const liar = await openLyingNode(anvil.rpcUrl)
    const close = async () => {
      await liar.close()
      await anvil.stop()
    }
    const { rpcUrl } = anvil
    const node = createAnvilNode(chain, liar, rpcUrl, nodes === 2 ? [rpcUrl] : [])
    return { chain, node, rpcUrl, close }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}
