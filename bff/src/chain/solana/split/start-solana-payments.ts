import type { Networks } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSplitWatcher } from './split-watcher.ts'
import { createSolanaLook } from './verify-submission.ts'

/** Of a service that has no network of Solana. */
export const noSolana: ReturnType<typeof startSolanaPayments>['contracts'] = {
  solanaChains: new Map(),
  lookAtSolana: () => Promise.reject(new Error('There is no network of Solana')),
}

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  runtime: Runtime
  log: Log
  /** Of the configured networks of Solana, by short name. */
  chains: ReadonlyMap<string, SolanaAdapter>
  feePayer: string | null
  lenientClients: boolean
}

/** What wallet payments need of the configured networks of Solana. */
export function startSolanaPayments(deps: Deps) {
  const { db, ledger, networks, health, runtime, log, chains } = deps
  const look = createSolanaLook(deps)
  return {
    contracts: { solanaChains: chains, lookAtSolana: look },
    /** A split watcher for each network. They end with the signal. */
    run: (signal: AbortSignal): Promise<void>[] =>
      [...chains].flatMap(([name, chain]) => {
        const network = networks.get(name)
        if (!network) return []
        const isPayable = () => health.get(name).isPayable
        return [
          createSplitWatcher({ db, ledger, network, isPayable, chain, verifySubmission: look, runtime, log }).run(
            signal,
          ),
        ]
      }),
  }
}
