import type { Hex } from 'viem'
import type { BaseUnits } from '../../../core/money.ts'
import type { DepositPayment } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/payment-store.ts'
import { planRefund } from '../../../payment/refund.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import {
  type DueRefund,
  deleteRefund,
  dueRefunds,
  failQueuedRefund,
  insertOutgoingRefund,
  markRefundSent,
  postponeRefund,
  refundsTried,
} from '../../../payout/refund-queue-store.ts'
import type { StoredTerms } from '../deposit/deposit-terms.ts'
import type { RefundCall } from '../deposit/refund-call.ts'
import type { Head } from './evm-sender.ts'
import type { SweepContext } from './payout-context.ts'
import { readProvenTerms } from './preflight.ts'
import { sendRefundCall, withSpareGas } from './send-refund-call.ts'
import { TakenError } from './send-sweeps.ts'

/** Refunds of one pass: each is a transaction of its own, and sweeps wait behind it. */
const refundsMax = 5

/** Refunds of one payment that are made at once: whoever sends money in drops must not make us pay gas for each of them. */
export const promptMax = 3

/** What comes after those goes back together, this long after the one before. */
export const togetherMs = 24 * 60 * 60 * 1000

/** After a fault of a node, so that those that cannot be looked at do not stay in front of the others. */
const faultDelayMs = 30_000

/** Longest pause before a chain whose clock is behind ours is looked at again. */
const lookAgainMaxMs = 10_000

/**
 * Sends back what is due, each by a transaction that is stored before it is broadcast, like those of the sweeps.
 * The amount is what the payment's confirmed transfers say, and never more than what the chain has for it: what was sent back
 * before (by hand, or before a backup was restored) is not there to go a second time.
 * @returns how many are on their way or were put off. @throws the first fault, after the others had their turn.
 */
export async function sendRefunds(context: SweepContext, head: Head): Promise<number> {
  const { db, network, runtime } = context
  const scope = { network: network.shortName, nowMs: runtime.nowMs(), head: head.number, limit: refundsMax }
  const due = await db.read((tx) => dueRefunds(tx, scope))
  let done = 0
  let fault: unknown
  for (const refund of due) {
    if (runtime.nowMs() < context.memory.emptyUntilMs) break
    try {
      done += await sendRefund(context, refund, head)
    } catch (error) {
      const dueAtMs = runtime.nowMs() + faultDelayMs
      await db.write((tx) => postponeRefund(tx, refund.paymentId, dueAtMs))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

async function sendRefund(context: SweepContext, refund: DueRefund, head: Head): Promise<number> {
  const { ledger, network, runtime, log } = context
  const planned = await plan(context, refund)
  if (planned === undefined) return 0
  if ('reason' in planned) return await fail(context, refund, planned.reason)
  const checked = await check(context, refund, planned, head)
  if (checked === undefined) return 0
  if ('reason' in checked) return await fail(context, refund, checked.reason)
  const { call, gas } = checked
  const { paymentId } = refund
  const { token, to: address, amount } = call
  const sent = await sendRefundCall(context, { call, gas, head }, async (tx, id) => {
    const payment = await loadPayment(tx, paymentId)
    // A reorg, or another address, since it was planned.
    if (payment?.mode !== 'deposit' || payment.refundAddress !== address) throw new TakenError()
    if (planRefund(payment) < amount || !(await markRefundSent(tx, paymentId, id))) throw new TakenError()
    await insertOutgoingRefund(tx, { transactionId: id, paymentId, token, address, amount })
    await ledger.applyIn(tx, paymentId, { type: 'refund.sent', amount: amount as BaseUnits, atMs: runtime.nowMs() })
  })
  if (sent === undefined) return 0
  const fields = { network: network.shortName, paymentId, ...sent, address, amount: String(amount) }
  log.info(fields, 'Money is being sent back')
  return 1
}

/** What the payment says: how much, where to, by which terms. Undefined when there is nothing to be sent any more, or not yet. */
async function plan(
  { db, network, runtime, account }: SweepContext,
  { paymentId }: DueRefund,
): Promise<RefundCall | { reason: string } | undefined> {
  const payment = await db.read((tx) => loadPayment(tx, paymentId))
  const amount = payment === undefined ? 0n : planRefund(payment)
  if (payment?.mode !== 'deposit' || payment.refundAddress === null || amount === 0n) {
    await db.write((tx) => deleteRefund(tx, paymentId))
    return undefined
  }
  const { count, newestAtMs } = await db.read((tx) => refundsTried(tx, paymentId))
  if (count >= promptMax && runtime.nowMs() < newestAtMs + togetherMs) {
    await db.write((tx) => postponeRefund(tx, paymentId, newestAtMs + togetherMs))
    return undefined
  }
  const terms = provenTerms(payment, network.chainId)
  if (terms instanceof Error) return { reason: terms.message }
  if (terms.operator.toLowerCase() !== account) return { reason: `only the operator ${terms.operator} may send it` }
  return { terms, token: terms.token, to: payment.refundAddress as Hex, amount }
}

function provenTerms(payment: DepositPayment, chainId: number): StoredTerms | Error {
  try {
    return readProvenTerms(payment, chainId)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** What the chain says: with how much gas, or why not. Undefined while it is too early. */
async function check(context: SweepContext, { paymentId }: DueRefund, planned: RefundCall, head: Head) {
  const { db, sender, runtime } = context
  let call = planned
  let result = await sender.checkRefund(call)
  if ('reason' in result && result.refundable > 0n && result.refundable < planned.amount) {
    call = { ...planned, amount: result.refundable }
    result = await sender.checkRefund(call)
  }
  if ('gas' in result) return { call, gas: withSpareGas(result.gas) }
  const leftMs = (planned.terms.deadlineSeconds - head.timeSeconds + 1) * 1_000
  if (leftMs <= 0 || !result.reason.startsWith('NotRefundable')) return result
  // Of a payment that was ended by hand nothing goes back before its deadline: the customer may still be paying the rest.
  await db.write((tx) => postponeRefund(tx, paymentId, runtime.nowMs() + Math.min(leftMs, lookAgainMaxMs)))
  return undefined
}

/** Counts a failure and tells the payment. */
async function fail(context: SweepContext, refund: DueRefund, reason: string): Promise<number> {
  const { db, ledger, network, runtime, log } = context
  const { paymentId, failures } = refund
  const atMs = runtime.nowMs()
  await db.write(async (tx) => {
    const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
    if (!(await failQueuedRefund(tx, refund, dueAtMs))) return
    await ledger.applyIn(tx, paymentId, { type: 'refund.failed', isGivenUp, atMs })
  })
  log.warn({ network: network.shortName, paymentId, failures: failures + 1, reason }, 'Money cannot be sent back now')
  return 1
}
