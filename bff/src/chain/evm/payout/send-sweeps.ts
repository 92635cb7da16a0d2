import { parseAmount } from '../../../core/money.ts'
import { isFaultOfAll, writeEach } from '../../../db/write-each.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { postponeBroken } from '../../../payout/payout-failure.ts'
import { dollarMicros, microDecimals, planSweeps } from '../../../payout/payout-plan.ts'
import { deferPayout, insertOutgoingPayout, markPayoutSent } from '../../../payout/payout-queue-store.ts'
import { encodeSettleMany } from '../deposit/settle-call.ts'
import type { Head } from '../send/evm-sender.ts'
import { costMax, type Fees } from '../send/evm-transaction.ts'
import { noteGasBalance, warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'
import type { ReadySweep } from './preflight.ts'
import { broadcast, signAndStore } from './sign-and-store.ts'

/** Delay before a deferred sweep is planned again: fees may fall. Another due deposit includes it earlier. */
const replanAfterMs = 60_000

const hourMs = 60 * 60 * 1000

/** Base gas of any transaction. */
const transactionGas = 21_000n

/** Base gas of the transaction and the batch. */
export const baseGas = 60_000n

/** EIP-7825 limits a transaction to 16.7 million. */
const gasMax = 15_000_000n

/** Extra gas: merchant and platform may hold no balance of the token yet, unlike with the measured deposit. */
const newBalancesGas = 2n * 17_100n

/** Gas for a deposit that has failed before or cannot be measured: ten times the usual. Unused gas is not charged. */
const generousGas = 600_000n

/**
 * Signs one transaction for as many deposits as gas limit and balance allow, stores it, and only then broadcasts it. @returns the
 * number of deposits in it.
 */
export async function sendSettlement(
  context: PayoutContext,
  ready: readonly ReadySweep[],
  head: Head,
): Promise<number> {
  const { ledger, sender, network, runtime, log, account } = context
  if (ready.length === 0 || runtime.nowMs() < context.memory.emptyUntilMs) return 0
  const fees = await sender.fees(head)
  const gasOf = measurer(context)
  const worthSending = await withoutBroken(context, await deferSweeps(context, ready, { head, fees, gasOf }))
  const [first] = worthSending
  if (!first) return 0
  const balanceWei = await sender.balance(account)
  const isAffordable = (total: bigint) => costMax({ gas: total, ...fees }) <= balanceWei
  const { batch, gas } = await fit(worthSending, { head, gasOf, isAffordable })
  noteGasBalance(context, { neededWei: costMax({ gas, ...fees }), balanceWei })
  if (batch.length === 0) {
    warnEmpty(context, { neededWei: costMax({ gas, ...fees }), balanceWei })
    return 0
  }
  const data = encodeSettleMany(batch.map(({ terms }) => terms))
  const stored = await signAndStore(context, { to: first.terms.factory, data, gas, ...fees }, async (tx, id) => {
    const atMs = runtime.nowMs()
    for (const sweep of batch) {
      await markPayoutSent(tx, sweep, id)
      if (sweep.waitingSinceMs !== null) {
        await ledger.applyIn(tx, sweep.paymentId, { type: 'sweep.waiting', isWaiting: false, atMs })
      }
      await insertOutgoingPayout(tx, sweep, id, null)
    }
  })
  if (stored === undefined) return 0
  const { txId, nonce } = stored
  log.info({ network: network.shortName, txId, nonce, deposits: batch.length }, 'Settling deposits')
  await broadcast(context, stored)
  return batch.length
}

/** The sweeps whose payments can record that they were sent. The others are postponed, without delaying their batch. */
async function withoutBroken(context: PayoutContext, sweeps: readonly ReadySweep[]): Promise<ReadySweep[]> {
  const found: ReadySweep[] = []
  for (const sweep of sweeps) {
    try {
      // Only the end of a deferral changes the payment.
      if (sweep.waitingSinceMs !== null) await context.db.read((tx) => loadPayment(tx, sweep.paymentId))
      found.push(sweep)
    } catch (error) {
      if (isFaultOfAll(error)) throw error
      await postponeBroken(context, sweep, error)
    }
  }
  return found
}

/**
 * Defers sweeps that are not yet worth their gas, by the network's `sweepGas`, and records that on their payments. A deferred
 * sweep is sent once fees have fallen or enough deposits share them, at the latest after `maxWaitHours`.
 * @param gasOf - Gas of one sweep in its own transaction.
 * @returns the sweeps to send now.
 */
async function deferSweeps(
  context: PayoutContext,
  ready: readonly ReadySweep[],
  { head, fees, gasOf }: { head: Head; fees: Fees; gasOf: (sweep: ReadySweep) => Promise<bigint> },
): Promise<ReadySweep[]> {
  const { db, ledger, sender, network, runtime, log } = context
  const { sweepGas, nativeCurrency } = network
  if (sweepGas === null) return [...ready]
  const nowMs = runtime.nowMs()
  const weiPerGas = head.baseFeePerGas + fees.maxPriorityFeePerGas
  const candidates = []
  for (const sweep of ready) {
    const { waitingSinceMs, tokenDecimals, dollarRate, terms } = sweep
    const isOverdue = waitingSinceMs !== null && waitingSinceMs + sweepGas.maxWaitHours * hourMs <= nowMs
    const valueMicros = dollarMicros(terms.amount, tokenDecimals, dollarRate)
    const alone = await gasOf(sweep)
    const gas = alone > transactionGas ? alone - transactionGas : alone
    // The L1 data fee, converted to gas.
    const l1FeeWei = await sender.l1FeeWei({ target: terms.factory, data: encodeSettleMany([terms]) })
    candidates.push({ valueMicros, isOverdue, gas: gas + l1FeeWei / larger(weiPerGas, 1n) })
  }
  const places = new Set(
    planSweeps(candidates, {
      baseGas,
      maxBps: sweepGas.maxBps,
      weiPerGas: larger(weiPerGas, 1n),
      coinMicros: parseAmount(sweepGas.coinPrice, microDecimals),
      coinWei: 10n ** BigInt(nativeCurrency.decimals),
    }),
  )
  const deferred = ready.filter((_, place) => !places.has(place))
  if (deferred.length === 0) return [...ready]
  const unchanged = await writeEach(db, deferred, async (tx, sweep) => {
    if (!(await deferPayout(tx, sweep, { nowMs, dueAtMs: nowMs + replanAfterMs }))) return
    await ledger.applyIn(tx, sweep.paymentId, { type: 'sweep.waiting', isWaiting: true, atMs: nowMs })
  })
  for (const [sweep, error] of unchanged) await postponeBroken(context, sweep, error)
  log.debug(
    { network: network.shortName, deposits: deferred.length },
    'Sweeps deferred: the deposits are not yet worth their gas',
  )
  return ready.filter((_, place) => places.has(place))
}

/** Gas to settle one deposit in its own transaction, measured once per token. */
function measurer({ sender }: PayoutContext) {
  const measured = new Map<string, bigint>()
  return async ({ terms }: ReadySweep): Promise<bigint> => {
    // Batches are not measured: a batch also succeeds with too little gas, skipping deposits. A deposit that cannot be measured
    // gets a generous amount, so that it does not block the others.
    const single = measured.get(terms.token) ?? (await sender.settleGas(terms).catch(() => generousGas))
    measured.set(terms.token, single)
    return single
  }
}

type Fitting = {
  head: Head
  gasOf: (sweep: ReadySweep) => Promise<bigint>
  isAffordable: (gas: bigint) => boolean
}

/** The longest prefix of `ready` whose gas fits a transaction, a block and the gas balance. `gas` covers at least one deposit. */
async function fit(
  ready: readonly ReadySweep[],
  { head, gasOf, isAffordable }: Fitting,
): Promise<{ batch: ReadySweep[]; gas: bigint }> {
  const blockMax = head.gasLimit / 2n
  const limit = blockMax < gasMax ? blockMax : gasMax
  const batch: ReadySweep[] = []
  let gas = baseGas
  for (const sweep of ready) {
    const single = await gasOf(sweep)
    const item = sweep.failures > 0 ? larger(generousGas, single) : ((single + newBalancesGas) * 6n) / 5n
    const total = gas + item
    if (batch.length > 0 && total > limit) break
    if (!isAffordable(total)) return { batch, gas: batch.length > 0 ? gas : total }
    batch.push(sweep)
    gas = total
  }
  return { batch, gas }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
