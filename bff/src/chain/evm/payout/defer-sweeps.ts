import { parseAmount } from '../../../core/money.ts'
import { microDecimals } from '../../../payout/payout-plan.ts'
import { deferPayout } from '../../../payout/payout-queue-store.ts'
import { planSweeps } from '../../../payout/sweep-economics.ts'
import type { Head } from './evm-sender.ts'
import type { Fees } from './evm-transaction.ts'
import type { PayoutContext } from './payout-context.ts'
import type { ReadySweep } from './preflight.ts'

/** Until a deferred sweep is planned again, because fees fall; another deposit that is due takes it along before. */
const replanAfterMs = 60_000

const hourMs = 60 * 60 * 1000

/** Gas of any transaction beside what it does. */
const transactionGas = 21_000n

/** The transaction itself and the batch's frame. */
export const baseGas = 60_000n

/**
 * Defers the sweeps that are not worth their gas now, by the network's `sweepGas`, and emits that to their payments. A deferred sweep
 * is sent when fees have fallen, when enough deposits share them, or at the longest after `maxWaitHours`.
 * @param gasOf - Gas of one sweep in a transaction of its own.
 * @returns the sweeps to send now.
 */
export async function deferSweeps(
  context: PayoutContext,
  ready: readonly ReadySweep[],
  { head, fees, gasOf }: { head: Head; fees: Fees; gasOf: (sweep: ReadySweep) => Promise<bigint> },
): Promise<ReadySweep[]> {
  const { db, ledger, network, runtime, log } = context
  const { sweepGas, nativeCurrency } = network
  if (sweepGas === null || ready.length === 0) return [...ready]
  const nowMs = runtime.nowMs()
  const candidates = []
  for (const sweep of ready) {
    const { waitingSinceMs, tokenDecimals, terms } = sweep
    const isOverdue = waitingSinceMs !== null && waitingSinceMs + sweepGas.maxWaitHours * hourMs <= nowMs
    const valueMicros = (terms.amount * 10n ** BigInt(microDecimals)) / 10n ** BigInt(tokenDecimals)
    const alone = await gasOf(sweep)
    const gas = alone > transactionGas ? alone - transactionGas : alone
    candidates.push({ valueMicros, isOverdue, gas })
  }
  const places = new Set(
    planSweeps(candidates, {
      baseGas,
      maxBps: sweepGas.maxBps,
      weiPerGas: head.baseFeePerGas + fees.maxPriorityFeePerGas,
      coinMicros: parseAmount(sweepGas.coinPrice, microDecimals),
      coinWei: 10n ** BigInt(nativeCurrency.decimals),
    }),
  )
  const deferred = ready.filter((_, place) => !places.has(place))
  if (deferred.length === 0) return [...ready]
  await db.write(async (tx) => {
    for (const sweep of deferred) {
      if (!(await deferPayout(tx, sweep, { nowMs, dueAtMs: nowMs + replanAfterMs }))) continue
      await ledger.applyIn(tx, sweep.paymentId, { type: 'sweep.waiting', isWaiting: true, atMs: nowMs })
    }
  })
  log.debug({ network: network.shortName, deposits: deferred.length }, 'Deposits wait until they are worth their gas')
  return ready.filter((_, place) => places.has(place))
}
