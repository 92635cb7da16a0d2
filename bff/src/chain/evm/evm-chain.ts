import type { Hex } from 'viem'
import type { EvmNetwork } from '../../core/families.ts'
import { createWakeSignal } from '../../core/wake-signal.ts'
import type { Fault } from '../../network/network-health.ts'
import type { Chain, ChainConnector, ConnectorDeps, Inspection, MerchantAccount } from '../connector.ts'
import { createCallCosts, createEvmAuthorizer } from './authorization/evm-authorizer.ts'
import { createSweeper } from './payout/sweeper.ts'
import { createEvmAdapter } from './rpc/evm-adapter.ts'
import { createHoldingsReader } from './rpc/evm-balances.ts'
import { createEvmPool, type EvmPool } from './rpc/evm-pool.ts'
import { createEvmSender } from './send/evm-sender.ts'
import { verifyNetwork } from './setup/verify-network.ts'
import { verifySplitter } from './setup/verify-splitter.ts'
import { operatorSigner } from './signer/operator.ts'
import type { Signer } from './signer/signer.ts'
import { isSignedByWallet } from './signer/wallet-signature.ts'
import { createNonceReader, createPromptCheck } from './submit/check-prompt.ts'
import { createEvmSubmissions } from './submit/evm-submission.ts'
import { createRefundVerification } from './submit/verify-refund.ts'
import { readMaster, verifyMaster } from './virtual/registry.ts'
import { createLateScanner } from './watch/late-scanner.ts'
import { createUnmatchedWatcher } from './watch/unmatched-watcher.ts'
import { createWatcher } from './watch/watcher.ts'

/** `operator` is null if no EVM network is configured. */
export type EvmSigners = { operator: Signer | null; formerOperators: readonly Signer[] }

/** Loads code that only commands need on demand. */
const inspect = (network: EvmNetwork, pool: EvmPool): Inspection => ({
  verifyNetwork: (signal) => verifyNetwork(network, pool, signal),
  verifyContracts: (signal) => verifySplitter(network, pool, signal),
  async diagnose({ payers: { operator }, wallets, nowMs }) {
    const { examineNetwork } = await import('./setup/examine-network.ts')
    const address = operator && operatorSigner(operator).address
    return await examineNetwork({ network, pool, operator: address, wallets, nowMs })
  },
  async readMovements(request, signal) {
    const { readEvmMovements } = await import('./movements/evm-movements.ts')
    return await readEvmMovements(network, pool, request, signal)
  },
  isSignedBy: (signed, signal) => isSignedByWallet(pool, signed, signal),
})

export const evmConnector: ChainConnector<EvmNetwork, EvmSigners> = {
  inspect: (network, deps) => inspect(network, createEvmPool(network, deps)),
  open: connectEvm,
}

function connectEvm(
  deps: ConnectorDeps,
  { operator, formerOperators: formerSigners }: EvmSigners,
): { connect(network: EvmNetwork): Chain } {
  const { health, runtime, log, observe } = deps
  return {
    connect(network) {
      const poolDeps = { nowMs: runtime.nowMs, log, ...(observe && { observe }) }
      const pool = createEvmPool(network, poolDeps)
      const adapter = createEvmAdapter(network, poolDeps, pool)
      const parts = { ...deps, network, adapter }
      const { signatureGas } = network
      const wakeSignal = createWakeSignal()
      const authorizer =
        operator &&
        createEvmAuthorizer({
          network,
          pool,
          operator: operator.address,
          nowMs: runtime.nowMs,
          wake: wakeSignal.wake,
        })
      const report = (fault: Fault | undefined) => health.report(network, fault)
      return {
        network,
        walletPayments: {
          verifySubmission: createEvmSubmissions(parts),
          verifyRefund: createRefundVerification(parts),
          isPromptOver: createPromptCheck(parts),
          nonceOf: createNonceReader(parts),
          ...(network.deposits === 'virtual' && {
            verifyAccount: (account: MerchantAccount, signal: AbortSignal) =>
              verifyMaster(pool, network, account, signal),
          }),
          ...(authorizer && { authorizer }),
        },
        nodeStates: pool.states,
        probeNodes: pool.probe,
        ...inspect(network, pool),
        readHoldings: createHoldingsReader(network.tokens, adapter),
        ...(network.deposits === 'virtual' && {
          readMaster: (source: string, signal: AbortSignal) => readMaster(pool, network, source as Hex, signal),
        }),
        resume: () => createWatcher({ ...parts, report }).resume(),
        async run(stores, signal) {
          // Write only to the lease's stores.
          const leased = { ...parts, ...stores }
          const watcher = createWatcher({ ...leased, report })
          // A virtual address never holds money, and its network has no coin: there is nothing to find, sweep or return.
          if (network.deposits === 'virtual') return await watcher.run(signal)
          const unmatched = createUnmatchedWatcher(leased)
          const lateScanner = createLateScanner(leased)
          const sender = createEvmSender(network, pool)
          const sweeper =
            operator &&
            createSweeper(
              { ...leased, sender, signer: operator, formerSigners, wakeSignal },
              signatureGas ? createCallCosts({ pool, operator: operator.address, network }) : undefined,
            )
          await Promise.all([watcher.run(signal), unmatched.run(signal), lateScanner.run(signal), sweeper?.run(signal)])
        },
      }
    },
  }
}
