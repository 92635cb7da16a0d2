import { parseAmount } from '../../../core/money.ts'
import { planWorth } from '../../../payout/sweep-economics.ts'
import { holdSweep } from '../../../payout/sweep-queue-store.ts'
import type { Head } from './evm-sender.ts'
import type { Fees } from './evm-transaction.ts'
import type { SweepContext } from './payout-context.ts'
import type { ReadySweep } from './preflight.ts'

/** Until those that wait are looked at again, because fees fall; another deposit that is due takes them along before. */
const lookAgainMs = 60_000

const hourMs = 60 * 60 * 1000

/** Prices and values are compared in millionths of a token. */
export const microDecimals = 6

/** Any transaction takes so much beside what it does. */
const transactionGas = 21_000n

/** The transaction itself and the batch's frame. */
export const baseGas = 60_000n

/**
 * Leaves out what is not worth its gas now, by the network's `sweepGas`, and says so to the payment. It goes when fees have
 * fallen, when enough has come to share them, or at the longest after `maxWaitHours`.
 * @param gasOf - What one of them takes in a transaction of its own.
 */
export async function holdUnworthy(
  context: SweepContext,
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
    planWorth(candidates, {
      ...{ baseGas, maxBps: sweepGas.maxBps },
      weiPerGas: head.baseFeePerGas + fees.maxPriorityFeePerGas,
      coinMicros: parseAmount(sweepGas.coinPrice, microDecimals),
      coinWei: 10n ** BigInt(nativeCurrency.decimals),
    }),
  )
  const held = ready.filter((_, place) => !places.has(place))
  if (held.length === 0) return [...ready]
  await db.write(async (tx) => {
    for (const { paymentId } of held) {
      if (!(await holdSweep(tx, paymentId, { nowMs, dueAtMs: nowMs + lookAgainMs }))) continue
      await ledger.applyIn(tx, paymentId, { type: 'sweep.waiting', isWaiting: true, atMs: nowMs })
    }
  })
  log.debug({ network: network.shortName, deposits: held.length }, 'Deposits wait until they are worth their gas')
  return ready.filter((_, place) => places.has(place))
}
