import { hasQueuedAuthorization } from '../../../payment/store/authorization-store.ts'
import { hasDueShare } from '../../../payout/parked-share-store.ts'
import type { PayoutChain } from '../../../payout/payout-chain.ts'
import { createPayoutWorker, type PayoutWorker } from '../../../payout/payout-worker.ts'
import { refuseQueued } from '../../queued-authorizations.ts'
import { readFeePayerBalance } from './fee-payer-balance.ts'
import { monitorSolana, openMax } from './monitor-transactions.ts'
import { payParkedShares } from './parked-shares.ts'
import { prepareSolanaRefund } from './prepare-solana-refund.ts'
import { sendRelayed } from './send-relayed.ts'
import { pausedUntilMs } from './send-transaction.ts'
import { createSolanaContext, type SolanaSweeperDeps } from './solana-context.ts'
import { hasDueAccount } from './solana-outgoing-store.ts'
import type { SolanaHead } from './solana-sender.ts'
import { sendSolanaSweeps } from './solana-sweeps.ts'
import { closeAccounts, openAccounts } from './token-accounts.ts'

/** Maximum sweeps per pass: each is a separate transaction, so that none delays another. */
const sweepsMax = 10

/** One Solana network's payouts: sweeps paid deposits, creates and closes their token accounts, and returns money owed. */
export function createSolanaSweeper(deps: SolanaSweeperDeps): PayoutWorker {
  const context = createSolanaContext(deps)
  const chain: PayoutChain<SolanaHead> = {
    openMax,
    sweepsMax,
    canReturn: false,
    outOfGasUntilMs: () => pausedUntilMs(context, 0),
    head: () => context.sender.head(),
    monitor: (signal) => monitorSolana(context, signal),
    sendSweeps: (due) => sendSolanaSweeps(context, due),
    prepareRefund: (payout, planned, payment, head) => prepareSolanaRefund(context, payout, planned, { payment, head }),
    prepareReturn: () => Promise.reject(new Error('Unmatched transfers on Solana are not returned')),
    hasOwnWork: async (tx, nowMs) =>
      (await hasDueAccount(tx, context.network.shortName, nowMs)) ||
      (await hasQueuedAuthorization(tx, context.network.shortName)) ||
      (await hasDueShare(tx, context.network.shortName, nowMs)),
    beforePayouts: [
      () => openAccounts(context),
      () => (deps.network.signatureGas === null ? refuseQueued(context) : sendRelayed(context)),
    ],
    readGasBalance: () => readFeePayerBalance(context),
    afterPayouts: [() => payParkedShares(context), () => closeAccounts(context)],
  }
  return createPayoutWorker(deps, chain)
}
