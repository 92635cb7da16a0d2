import { hasQueuedAuthorization } from '../../../payment/store/authorization-store.ts'
import type { PayoutChain } from '../../../payout/payout-chain.ts'
import type { DuePayout } from '../../../payout/payout-queue-store.ts'
import { createPayoutWorker, type PayoutWorker } from '../../../payout/payout-worker.ts'
import { refuseQueued } from '../../queued-authorizations.ts'
import type { CallCosts } from '../authorization/evm-authorizer.ts'
import type { Head } from '../send/evm-sender.ts'
import { confirmExternalSettlements } from './external-settlement.ts'
import { confirmFailedDeposits, hasFailedDeposits } from './failed-deposits.ts'
import { readGasBalance } from './gas-balance.ts'
import { monitorOpen, openMax } from './monitor.ts'
import { hasParkedWork, payParkedShares } from './parked-shares.ts'
import { createContext, type SweeperDeps } from './payout-context.ts'
import { preflightSweeps } from './preflight.ts'
import { prepareRefund, prepareReturn } from './prepare-refund.ts'
import { hasRecheck, recheckFinal } from './recheck.ts'
import { sendAuthorizations } from './send-authorizations.ts'
import { sendSettlement } from './send-sweeps.ts'

/** Deposits per transaction: three million gas, a tenth of an Ethereum block. */
const batchMax = 50

/** @param callCosts - Costs of customers' authorizations; absent if paying by signature is not offered: then queued ones are refused. */
export function createSweeper(deps: SweeperDeps, callCosts?: CallCosts): PayoutWorker {
  const context = createContext(deps, callCosts)

  async function sendSweeps(due: readonly DuePayout[], head: Head): Promise<number> {
    const { failed, ready, settled } = await preflightSweeps(context, due)
    const sent = await sendSettlement(context, ready, head)
    return failed + sent + (await confirmExternalSettlements(context, settled, head))
  }

  const chain: PayoutChain<Head> = {
    openMax,
    sweepsMax: batchMax,
    canReturn: true,
    outOfGasUntilMs: () => context.memory.emptyUntilMs,
    head: () => context.sender.head(),
    monitor: (signal) => monitorOpen(context, signal),
    sendSweeps,
    prepareRefund: (payout, planned, _payment, head) => prepareRefund(context, payout, planned, head),
    prepareReturn: (payout, planned, payment, head) => prepareReturn(context, payout, planned, { payment, head }),
    readGasBalance: () => readGasBalance(context),
    hasOwnWork: async (tx) =>
      (await hasQueuedAuthorization(tx, deps.network.shortName)) ||
      (await hasFailedDeposits(context, tx)) ||
      (await hasParkedWork(context, tx)) ||
      (await hasRecheck(context, tx)),
    beforePayouts: [() => (callCosts ? sendAuthorizations({ ...context, callCosts }) : refuseQueued(context))],
    afterPayouts: [() => confirmFailedDeposits(context), () => payParkedShares(context), () => recheckFinal(context)],
  }
  return createPayoutWorker(deps, chain)
}
