import type { EvmNetwork } from '../../core/families.ts'
import type { Chain, ChainDeps } from '../family.ts'
import { createEvmSender } from './payout/evm-sender.ts'
import { createSweeper } from './payout/sweeper.ts'
import { createEvmAdapter } from './rpc/evm-adapter.ts'
import { createEvmPool } from './rpc/evm-pool.ts'
import { verifyNetwork } from './rpc/verify-network.ts'
import { createEvmSubmissions } from './split/evm-submission.ts'
import { verifySplitter } from './split/verify-splitter.ts'
import { createStrayList } from './watch/unmatched-addresses.ts'
import { createStrayWatcher } from './watch/unmatched-watcher.ts'
import { createWatcher } from './watch/watcher.ts'

export function connectEvm(deps: ChainDeps): { connect(network: EvmNetwork): Chain } {
  const { db, ledger, networks, heads, health, gasBalances, signers, runtime, log, observe, passed } = deps
  // A deposit address is an address on every network.
  const addresses = createStrayList(db)

  return {
    connect(network) {
      const poolDeps = { nowMs: runtime.nowMs, log, ...(observe && { observe }) }
      const pool = createEvmPool(network, poolDeps)
      const adapter = createEvmAdapter(network, poolDeps, pool)
      const watcher = createWatcher({
        db,
        ledger,
        adapter,
        network,
        heads,
        runtime,
        log,
        report: (fault) => health.report(network, fault),
        ...(passed && { passed }),
      })
      const unmatched = createStrayWatcher({ db, ledger, adapter, network, networks, list: addresses, runtime, log })
      const sweeper =
        signers.operator &&
        createSweeper({
          db,
          ledger,
          network,
          sender: createEvmSender(network, pool),
          signer: signers.operator,
          runtime,
          log,
          gasBalances,
        })
      return {
        network,
        walletPayments: { verifySubmission: createEvmSubmissions({ db, ledger, health, network, adapter, runtime }) },
        verifyNetwork: (signal) => verifyNetwork(network, signal),
        verifyContracts: (signal) => verifySplitter(network, signal),
        resume: () => watcher.resume(),
        async run(signal) {
          await Promise.all([watcher.run(signal), unmatched.run(signal), sweeper?.run(signal)])
        },
      }
    },
  }
}
