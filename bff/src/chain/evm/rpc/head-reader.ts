import type { Network } from '../../../core/families.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { RpcNode } from '../../rpc-pool.ts'
import type { EvmPool, RpcBlock } from './evm-pool.ts'

/** After this long, an unchanged head is compared with other nodes': the chain may be slow, or the node stuck. */
const standstillMs = 30_000

/** Nodes of one chain may differ by this many blocks. */
const lagBlocksMax = 2

type ToBlock = (block: NonNullable<RpcBlock>) => BlockRef

export function createHeadReader(network: Network, pool: EvmPool, nowMs: () => number, toBlock: ToBlock) {
  /** Why a node's head cannot be trusted; undefined if it can. */
  function suspect(node: RpcNode, number: number): string | undefined {
    const now = nowMs()
    const { highest, highestSinceMs } = node
    const isNew = number > highest
    if (isNew || now - highestSinceMs >= standstillMs) Object.assign(node, { highestSinceMs: now })
    if (isNew) Object.assign(node, { highest: number })
    if (isNew) return undefined
    if (number < highest) return `went back from block ${highest} to ${number}`
    return now - highestSinceMs >= standstillMs ? `is stuck at block ${number}` : undefined
  }

  /**
   * The newest block of a node that keeps up. A node whose head went back or is stuck is quarantined if another node is further;
   * otherwise its head is used, because chains can be slow.
   */
  return async function readHead(signal: AbortSignal): Promise<BlockRef> {
    const params = ['latest', false]
    const { node, answer: block } = await pool.ask<RpcBlock>('eth_getBlockByNumber', params, signal)
    if (!block) throw new Error(`${network.shortName}: the node has no latest block`)
    const number = Number(block.number)
    const suspicion = suspect(node, number)
    for (const other of suspicion === undefined ? [] : pool.others(node)) {
      const theirs = await pool.askNode<RpcBlock>(other, 'eth_getBlockByNumber', params).catch(() => null)
      if (!theirs || Number(theirs.number) <= number + lagBlocksMax) continue
      pool.distrust(node, `${suspicion}, while others are at block ${Number(theirs.number)}`)
      suspect(other, Number(theirs.number))
      return toBlock(theirs)
    }
    return toBlock(block)
  }
}
