import type { SolanaNetwork } from '../../core/families.ts'
import { createWakeSignal } from '../../core/wake-signal.ts'
import type { Chain, ChainConnector, ConnectorDeps, Inspection } from '../connector.ts'
import { readSolanaMovements } from './movements/solana-movements.ts'
import { createSolanaSender } from './payout/solana-sender.ts'
import { createSolanaSweeper } from './payout/solana-sweeper.ts'
import { createRefundTransactions } from './refund/refund-transaction.ts'
import { createRefundWatcher } from './refund/refund-watcher.ts'
import { createSolanaRefundVerification } from './refund/verify-solana-refund.ts'
import { createSolanaAuthorizer } from './relay/solana-authorizer.ts'
import { diagnoseCluster } from './rpc/diagnose-cluster.ts'
import { createSolanaAdapter } from './rpc/solana-adapter.ts'
import { createSolanaRpc, type SolanaRpc } from './rpc/solana-rpc.ts'
import { verifyCluster } from './rpc/verify-cluster.ts'
import type { SolanaSigner } from './signer/solana-signer.ts'
import { isSignedByKey } from './signer/wallet-signature.ts'
import { createTransactionRequests } from './split/solana-pay.ts'
import { createSplitWatcher } from './split/split-watcher.ts'
import { createSolanaSubmissions } from './split/verify-submission.ts'
import { createDepositWatcher } from './watch/deposit-watcher.ts'
import { createLateAccountScanner } from './watch/late-account-scanner.ts'

const inspect = (network: SolanaNetwork, rpc: SolanaRpc): Inspection => ({
  verifyNetwork: (signal) => verifyCluster(network, rpc, signal),
  verifyContracts: async () => undefined,
  diagnose: ({ payers: { solanaFeePayerKey }, nowMs }) =>
    diagnoseCluster({ network, rpc, feePayerKey: solanaFeePayerKey, nowMs }),
  readMovements: (request, signal) => readSolanaMovements(network, rpc, request, signal),
  isSignedBy: async ({ address, message, signature }) => isSignedByKey(address, message, signature),
})

/** The signer is null if no Solana network is configured. */
export const solanaConnector: ChainConnector<SolanaNetwork, SolanaSigner | null> = {
  inspect: (network, deps) => inspect(network, createSolanaRpc(network, deps)),
  open: connectSolana,
}

function connectSolana(deps: ConnectorDeps, signer: SolanaSigner | null): { connect(network: SolanaNetwork): Chain } {
  const { health, gasBalances, runtime, log, observe } = deps
  const feePayer = signer?.feePayer.toBase58() ?? null

  return {
    connect(network) {
      const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log, ...(observe && { observe }) })
      const adapter = createSolanaAdapter(network, rpc, log)
      const sender = createSolanaSender(adapter, rpc)
      const wakeSignal = createWakeSignal()
      const { wake } = wakeSignal
      const authorizer = signer && createSolanaAuthorizer({ network, sender, signer, nowMs: runtime.nowMs, wake })
      const parts = { ...deps, network, adapter }
      return {
        network,
        walletPayments: {
          verifySubmission: createSolanaSubmissions({ ...parts, feePayer }),
          verifyRefund: createSolanaRefundVerification({ ...parts, feePayer }),
          refundTransaction: createRefundTransactions(parts),
          // A transaction that is in a block by now was not sent for the payment.
          plainSender: async (address, signal) => ({ address, afterSlot: await adapter.newestSlot(signal) }),
          requestedTransaction: createTransactionRequests(parts),
          ...(authorizer && { authorizer }),
        },
        nodeStates: rpc.states,
        probeNodes: rpc.probe,
        ...inspect(network, rpc),
        resume: async () => undefined,
        async run(stores, signal) {
          // Write only to the lease's stores.
          const leased = { ...parts, ...stores }
          const watcher = createDepositWatcher({ ...leased, report: (fault) => health.report(network, fault) })
          const verifySubmission = createSolanaSubmissions({ ...leased, feePayer })
          const isPayable = () => health.get(network.shortName).isPayable
          const splitWatcher = createSplitWatcher({ ...leased, isPayable, verifySubmission })
          const verifyRefund = createSolanaRefundVerification({ ...leased, feePayer })
          const refundWatcher = createRefundWatcher({ ...leased, isPayable, verifyRefund })
          const lateScanner = createLateAccountScanner(leased)
          const sweeper = signer && createSolanaSweeper({ ...leased, sender, signer, wakeSignal, gasBalances })
          const workers = [watcher, splitWatcher, refundWatcher, lateScanner, sweeper]
          await Promise.all(workers.map((worker) => worker?.run(signal)))
        },
      }
    },
  }
}
