import type { TronNetwork } from '../../core/families.ts'
import type { Fault } from '../../network/network-health.ts'
import { recordedAddresses } from '../../payment/store/token-store.ts'
import type { Chain, ChainConnector, ConnectorDeps, Inspection } from '../connector.ts'
import { topicAddress, tronAddressOf } from '../event-topic.ts'
import { createHoldingsReader } from '../evm/rpc/evm-balances.ts'
import { createEvmPool, type EvmPool } from '../evm/rpc/evm-pool.ts'
import { createLateSearcher } from '../evm/watch/late-search.ts'
import type { StoredAddress } from '../evm/watch/watch-list.ts'
import { createWatcher } from '../evm/watch/watcher.ts'
import { runLateScan } from '../late-scan.ts'
import { createTronAdapter } from './rpc/tron-adapter.ts'
import { isSignedByTronWallet } from './rpc/tron-signature.ts'
import { verifyTronNetwork } from './setup/verify-tron.ts'

const inspect = (network: TronNetwork, pool: EvmPool): Inspection => ({
  verifyNetwork: (signal) => verifyTronNetwork(network, pool, signal),
  verifyContracts: async () => undefined,
  async diagnose({ nowMs }) {
    const { examineTron } = await import('./setup/examine-tron.ts')
    return await examineTron({ network, pool, nowMs })
  },
  async readMovements(request, signal) {
    const { readTronMovements } = await import('./movements/tron-movements.ts')
    return await readTronMovements(network, pool, request, signal)
  },
  isSignedBy: async (signed) => isSignedByTronWallet(signed),
})

export const tronStoredAddress: StoredAddress = (topic) => {
  const hex = topicAddress(topic)
  return hex && tronAddressOf(hex).toLowerCase()
}

/** Watches only: no payouts, and no contracts. */
export const tronConnector: ChainConnector<TronNetwork, null> = {
  inspect: (network, deps) => inspect(network, createEvmPool(network, deps)),
  open: connectTron,
}

function connectTron(deps: ConnectorDeps): { connect(network: TronNetwork): Chain } {
  const { health, heads, runtime, log, observe } = deps
  return {
    connect(network) {
      const poolDeps = { nowMs: runtime.nowMs, log, ...(observe && { observe }) }
      const pool = createEvmPool(network, poolDeps)
      const readTokens = () => deps.db.read((tx) => recordedAddresses(tx, network.shortName))
      const adapter = createTronAdapter(network, poolDeps, pool, readTokens)
      const parts = { ...deps, network, adapter, storedAddress: tronStoredAddress }
      const report = (fault: Fault | undefined) => health.report(network, fault)
      return {
        network,
        walletPayments: {
          verifySubmission: async () => {
            throw new Error('There are no wallet payments on Tron')
          },
        },
        nodeStates: pool.states,
        probeNodes: pool.probe,
        ...inspect(network, pool),
        readHoldings: createHoldingsReader(network.tokens, adapter),
        resume: () => createWatcher({ ...parts, report }).resume(),
        async run(stores, signal) {
          // Write only to the lease's stores.
          const leased = { ...parts, ...stores }
          const watcher = createWatcher({ ...leased, report })
          const search = createLateSearcher(leased)
          const pass = async (passSignal: AbortSignal) => {
            const head = heads.get(network.shortName)
            return head !== undefined && (await search(head, passSignal))
          }
          await Promise.all([watcher.run(signal), runLateScan({ network, log, pass }, signal)])
        },
      }
    },
  }
}
