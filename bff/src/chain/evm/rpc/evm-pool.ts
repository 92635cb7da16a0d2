import { type CustomTransport, custom, type Hex } from 'viem'
import type { Network } from '../../../core/families.ts'
import { createRpcPool, type PoolDeps, type RpcNode } from '../../rpc-pool.ts'

export type RpcBlock = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; logsBloom?: Hex } | null

export type EvmPool = ReturnType<typeof createRpcPool>

/** The nodes of one EVM network, asked by everything that reads it or sends to it. Each must be on the configured chain. */
export function createEvmPool(
  network: Pick<Network, 'name' | 'shortName' | 'rpcUrls' | 'chainId'>,
  deps: PoolDeps,
): EvmPool {
  const { chainId } = network
  const identify = async (ask: RpcNode['ask']) => {
    const id = Number(await ask('eth_chainId', []))
    return id === chainId ? undefined : `is on chain ${id}, not on ${chainId}`
  }
  return createRpcPool(network, identify, deps)
}

/** What has begun is finished also while the service stops: each call ends by its own timeout. */
const { signal } = new AbortController()

/** The pool as a transport of viem's: nodes in quarantine are not asked, and a node that does not answer is left for the next. */
export function poolTransport(pool: Pick<EvmPool, 'ask'>): CustomTransport {
  const request = async ({ method, params }: { method: string; params?: unknown[] }) =>
    (await pool.ask(method, params ?? [], signal)).answer
  return custom({ request }, { retryCount: 0 })
}
