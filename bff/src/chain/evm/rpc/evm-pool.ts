import { type CustomTransport, createPublicClient, custom, type Hex, type PublicClient } from 'viem'
import type { Network } from '../../../core/families.ts'
import { knownNetworks } from '../../../network/known/known-networks.ts'
import { createRpcPool, type PoolDeps, type RpcNode } from '../../rpc-pool.ts'

export type RpcBlock = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; logsBloom?: Hex } | null

export type EvmPool = ReturnType<typeof createRpcPool>

/** `chainId` is null if any chain is allowed. */
type Pooled = Pick<Network, 'name' | 'shortName' | 'rpcUrls'> & { chainId: number | null }

/** One EVM network's nodes, shared by all readers and senders. Each must serve the configured chain. */
export function createEvmPool(network: Pooled, deps: PoolDeps): EvmPool {
  const { chainId } = network
  const identify = async (ask: RpcNode['ask']) => {
    const answer = await ask('eth_chainId', [])
    const id = typeof answer === 'string' ? Number(answer) : Number.NaN
    if (chainId === null || id === chainId) return undefined
    if (!Number.isSafeInteger(id)) return `responds, but not as a node of ${network.name}`
    const other = [...knownNetworks.values()].find((one) => one.chainId === id && one.genesisHash === undefined)
    return `is on chain ${id}${other ? ` (${other.name})` : ''}, not on ${chainId}`
  }
  return createRpcPool(network, identify, deps)
}

/** For calls that finish even while the service stops: each has its own timeout. */
const { signal: never } = new AbortController()

/** The pool as a viem transport: quarantined nodes are not called, unresponsive ones are skipped. */
export function poolTransport(pool: Pick<EvmPool, 'ask'>, signal = never): CustomTransport {
  const request = async ({ method, params }: { method: string; params?: unknown[] }) =>
    (await pool.ask(method, params ?? [], signal)).answer
  return custom({ request }, { retryCount: 0 })
}

/** A viem client that uses the pool. Calls no further node once `signal` aborts. */
export const poolReader = (pool: EvmPool, signal: AbortSignal): PublicClient =>
  createPublicClient({ transport: poolTransport(pool, signal), cacheTime: 0 })

/** A viem client for one node of the pool, even while it is down. A quarantined node is not called. */
export function nodeReader(pool: Pick<EvmPool, 'askNode'>, node: RpcNode, signal: AbortSignal): PublicClient {
  const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
    signal.throwIfAborted()
    return await pool.askNode(node, method, params ?? [])
  }
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
}
