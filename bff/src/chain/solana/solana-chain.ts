import type { SolanaNetwork } from '../../core/families.ts'
import type { Chain, ChainDeps } from '../family.ts'
import { createSolanaSender } from './payout/solana-sender.ts'
import { createSolanaSweeper } from './payout/solana-sweeper.ts'
import { createSolanaAdapter } from './rpc/solana-adapter.ts'
import { createSolanaRpc } from './rpc/solana-rpc.ts'
import { verifyCluster } from './rpc/verify-cluster.ts'
import { createTransactionRequests } from './split/solana-pay.ts'
import { createSplitWatcher } from './split/split-watcher.ts'
import { createSolanaSubmissions } from './split/verify-submission.ts'
import { createDepositWatcher } from './watch/deposit-watcher.ts'

export function connectSolana(deps: ChainDeps): { connect(network: SolanaNetwork): Chain } {
  const { db, ledger, heads, health, signers, lenientClients, runtime, log, observe, passed } = deps
  const feePayer = signers.solana?.feePayer.toBase58() ?? null

  return {
    connect(network) {
      const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log, ...(observe && { observe }) })
      const adapter = createSolanaAdapter(network, rpc, log)
      const watcher = createDepositWatcher({
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
      const verifySubmission = createSolanaSubmissions({
        db,
        ledger,
        health,
        runtime,
        log,
        chain: adapter,
        feePayer,
        lenientClients,
      })
      const splitWatcher = createSplitWatcher({
        db,
        ledger,
        network,
        isPayable: () => health.get(network.shortName).isPayable,
        chain: adapter,
        verifySubmission,
        runtime,
        log,
      })
      const sweeper =
        signers.solana &&
        createSolanaSweeper({
          db,
          ledger,
          network,
          sender: createSolanaSender(adapter, rpc),
          signer: signers.solana,
          runtime,
          log,
        })
      return {
        network,
        walletPayments: {
          verifySubmission,
          // What is in a block by now was not sent for the payment.
          plainSender: async (address, signal) => ({ address, afterSlot: await adapter.newestSlot(signal) }),
          requestedTransaction: createTransactionRequests({ network, health, adapter, runtime, log }),
        },
        verifyNetwork: (signal) => verifyCluster(network, signal),
        verifyContracts: async () => undefined,
        resume: async () => undefined,
        async run(signal) {
          await Promise.all([watcher.run(signal), splitWatcher.run(signal), sweeper?.run(signal)])
        },
      }
    },
  }
}
