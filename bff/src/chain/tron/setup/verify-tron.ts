import type { TronNetwork } from '../../../core/families.ts'
import type { Fault } from '../../../network/network-health.ts'
import { addressHex } from '../../event-topic.ts'
import { type EvmPool, poolReader } from '../../evm/rpc/evm-pool.ts'
import { verifyChainId, verifyToken } from '../../evm/setup/verify-network.ts'
import { verificationFault } from '../../network-fault.ts'

/**
 * Compares a configured network's nodes and tokens with its chain.
 * @returns undefined if everything matches; never throws.
 */
export function verifyTronNetwork(
  network: TronNetwork,
  pool: EvmPool,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  return verificationFault(network, signal, async (until) => {
    await verifyChainId(network, pool)
    const reader = poolReader(pool, until)
    for (const token of network.tokens) {
      await verifyToken(reader, network, { ...token, address: addressHex(token.address) })
    }
  })
}
