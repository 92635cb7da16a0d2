import type { NetworkHealth } from '../chain/network-health.ts'
import type { Networks } from '../chain/networks.ts'
import { createSolanaSplitChain } from '../chain/solana-split-chain.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Ledger } from '../payment/apply.ts'
import type { Runtime } from '../runtime.ts'
import { createSolanaFinder } from './solana-finder.ts'
import { createSolanaLook } from './solana-look.ts'

/** Of a service that has no network of Solana. */
export const noSolana: ReturnType<typeof startSolanaPayments>['contracts'] = {
  solanaChains: new Map(),
  lookAtSolana: () => Promise.reject(new Error('There is no network of Solana')),
}

type Deps = { db: Db; ledger: Ledger; networks: Networks; health: NetworkHealth; runtime: Runtime; log: Log }

/** What wallet payments need of the configured networks of Solana. */
export function startSolanaPayments({ db, ledger, networks, health, runtime, log }: Deps) {
  const own = [...networks.values()].filter((network) => network.family === 'solana')
  const solanaChains = new Map(own.map((network) => [network.shortName, createSolanaSplitChain(network)]))
  const lookAtSolana = createSolanaLook({ db, ledger, health, runtime, chains: solanaChains })
  return {
    contracts: { solanaChains, lookAtSolana },
    /** A finder for each. They end with the signal. */
    run: (signal: AbortSignal): Promise<void>[] =>
      own.flatMap((network) => {
        const chain = solanaChains.get(network.shortName)
        const isPayable = () => health.get(network.shortName).isPayable
        const finder = { db, ledger, network, isPayable, chain, look: lookAtSolana, runtime, log }
        return chain ? [createSolanaFinder({ ...finder, chain }).run(signal)] : []
      }),
  }
}
