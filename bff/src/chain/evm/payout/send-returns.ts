import type { Hex } from 'viem'
import { type BaseUnits, parseAmount } from '../../../core/money.ts'
import type { DepositPayment, Stray } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/payment-store.ts'
import { coinAddress, isSameStray, strayAddressOf } from '../../../payment/unmatched.ts'
import { failuresMax, planAfterFailure } from '../../../payout/payout-retry.ts'
import {
  type DueStray,
  deleteStray,
  dueStrays,
  failQueuedStray,
  insertOutgoingStray,
  markStraySent,
  postponeStray,
  straysTried,
} from '../../../payout/return-queue-store.ts'
import { parseDepositTerms, type StoredTerms } from '../deposit/deposit-terms.ts'
import type { RefundCall } from '../deposit/refund-call.ts'
import { microDecimals } from './defer-sweeps.ts'
import type { Head } from './evm-sender.ts'
import { costMax } from './evm-transaction.ts'
import type { SweepContext } from './payout-context.ts'
import { readProvenTerms } from './preflight.ts'
import { sendRefundCall, withSpareGas } from './send-refund-call.ts'
import { promptMax, togetherMs } from './send-refunds.ts'
import { TakenError } from './send-sweeps.ts'

/** Of one pass: each is a transaction of its own, and sweeps wait behind it. */
const straysMax = 5

/** After a fault of a node, so that those that cannot be looked at do not stay in front of the others. */
const faultDelayMs = 30_000

/**
 * A return of coins may cost this many times one to the operator's own account, which runs no code of a stranger. The
 * forwarder bounds the recipient's gas; this bounds it also where a forwarder would not.
 */
const plainCostsMax = 2n

/** Fees fall and rise within hours. */
const againDelayMs = 60 * 60 * 1000

/**
 * Sends back what no payment asked for, by the operator's call of the deposit's forwarder on the network where it lies. Each is
 * stored before it is broadcast, and is never more than what the chain has.
 * @returns how many are on their way or were put off. @throws the first fault, after the others had their turn.
 */
export async function sendStrays(context: SweepContext, head: Head): Promise<number> {
  const { db, network, runtime } = context
  const scope = { network: network.shortName, nowMs: runtime.nowMs(), limit: straysMax }
  const due = await db.read((tx) => dueStrays(tx, scope))
  let done = 0
  let fault: unknown
  for (const stray of due) {
    if (runtime.nowMs() < context.memory.emptyUntilMs) break
    try {
      done += await sendStray(context, stray, head)
    } catch (error) {
      await postpone(context, stray, runtime.nowMs() + faultDelayMs)
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

const placeOf = ({ network }: SweepContext, { paymentId, token }: DueStray) => ({
  ...{ paymentId, token },
  network: network.shortName,
})

async function postpone(context: SweepContext, due: DueStray, dueAtMs: number): Promise<void> {
  await context.db.write((tx) => postponeStray(tx, placeOf(context, due), dueAtMs))
}

async function sendStray(context: SweepContext, due: DueStray, head: Head): Promise<number> {
  const { db, sender, runtime, log } = context
  const place = placeOf(context, due)
  const found = await find(context, due)
  if (found === undefined) {
    await db.write((tx) => deleteStray(tx, place))
    return 0
  }
  const { count, newestAtMs } = await db.read((tx) => straysTried(tx, place))
  if (count >= promptMax && runtime.nowMs() < newestAtMs + togetherMs) {
    await postpone(context, due, newestAtMs + togetherMs)
    return 0
  }
  const terms = provenTerms(context, found.payment)
  if ('reason' in terms) return await fail(context, due, terms.reason)
  const checked = await check(context, due, { ...{ terms, token: due.token, to: found.to }, amount: found.held }, head)
  if (checked === undefined) return 1
  if ('reason' in checked) {
    const isRefused = checked.reason.startsWith('CoinsRefused')
    return isRefused ? await refuse(context, due, checked.reason) : await fail(context, due, checked.reason)
  }
  const { call, gas } = checked
  const { amount } = call
  const valueWei = valueInWei(context, found.stray, amount)
  if (valueWei !== undefined && costMax({ gas, ...(await sender.fees(head)) }) >= valueWei) {
    return await fail(context, due, 'the fee is more than the amount', 'too_small')
  }
  const sent = await sendRefundCall(context, { call, gas, head }, async (tx, transactionId) => {
    const now = await findIn(tx, context, due)
    // A reorg, or another address, since it was looked at.
    if (now === undefined || now.to !== call.to || now.held < amount) throw new TakenError()
    if (!(await markStraySent(tx, place, transactionId))) throw new TakenError()
    await insertOutgoingStray(tx, { ...place, transactionId, address: call.to, amount })
  })
  if (sent === undefined) return 0
  log.info({ ...place, ...sent, address: call.to, amount: String(amount) }, 'A stray is being sent back')
  return 1
}

/** What it is worth in the coin that pays the fee; undefined for a token where the network's `sweepGas` names no price. */
function valueInWei({ network }: SweepContext, { token, decimals }: Stray, amount: bigint): bigint | undefined {
  if (token === coinAddress) return amount
  if (network.sweepGas === null) return undefined
  const coinMicros = parseAmount(network.sweepGas.coinPrice, microDecimals)
  const coinWei = 10n ** BigInt(network.nativeCurrency.decimals)
  return (amount * 10n ** BigInt(microDecimals) * coinWei) / (10n ** BigInt(decimals) * coinMicros)
}

type Found = { payment: DepositPayment; stray: Stray; to: Hex; held: bigint }

const find = (context: SweepContext, due: DueStray) => context.db.read((tx) => findIn(tx, context, due))

/** Undefined when there is nothing to be sent any more. */
async function findIn(
  tx: Parameters<typeof loadPayment>[0],
  context: SweepContext,
  due: DueStray,
): Promise<Found | undefined> {
  const payment = await loadPayment(tx, due.paymentId)
  if (payment?.mode !== 'deposit') return undefined
  const stray = payment.strays.find((one) => isSameStray(one, placeOf(context, due)))
  const to = stray && strayAddressOf(payment, stray)
  return stray && to && stray.held > 0n ? { payment, stray, to: to as Hex, held: stray.held } : undefined
}

/** The address proves the terms, and the factory must be the one that is known to be on this network: a call of no contract does nothing. */
function provenTerms({ network, account }: SweepContext, payment: DepositPayment): StoredTerms | { reason: string } {
  try {
    const terms = readProvenTerms(payment, parseDepositTerms(payment.depositTerms).chainId)
    if (terms.factory.toLowerCase() !== network.factory.toLowerCase()) {
      return { reason: `the address is of the factory ${terms.factory}, which is not configured here` }
    }
    if (terms.operator.toLowerCase() !== account) return { reason: `only the operator ${terms.operator} may send it` }
    return terms
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** What the chain says: with how much gas, or why not. Undefined when there is nothing of it any more, which is noted. */
async function check(context: SweepContext, due: DueStray, planned: RefundCall, head: Head) {
  const { db, ledger, sender, runtime } = context
  let call = planned
  let result = await sender.checkRefund(call)
  if ('reason' in result && result.refundable > 0n && result.refundable < planned.amount) {
    call = { ...planned, amount: result.refundable }
    result = await sender.checkRefund(call)
  }
  if ('gas' in result) {
    const plain = call.token === coinAddress ? await sender.checkRefund({ ...call, to: context.account }) : undefined
    if (plain === undefined || 'reason' in plain || result.gas <= plainCostsMax * plain.gas) {
      return { call, gas: withSpareGas(result.gas) }
    }
    return { reason: `CoinsRefused: sending to ${call.to} takes ${result.gas} gas, to an account ${plain.gas}` }
  }
  if (!result.reason.startsWith('NotRefundable')) return result
  const found = await find(context, due)
  if (found === undefined) return undefined
  const { network, token, currency, decimals } = found.stray
  const seen = { network, token, currency, decimals, held: result.refundable as BaseUnits, block: head.number }
  const atMs = runtime.nowMs()
  await db.write((tx) => ledger.applyIn(tx, due.paymentId, { type: 'stray.seen', ...seen, txId: null, atMs }))
  return undefined
}

/** Given up until another address is named, because the address itself is the reason; looked at again now and then. */
async function refuse(context: SweepContext, due: DueStray, reason: string): Promise<number> {
  return await fail(context, due, reason, 'failed', 'coins_refused')
}

/** Counts a failure and tells the payment. */
async function fail(
  context: SweepContext,
  due: DueStray,
  reason: string,
  as?: 'too_small' | 'failed',
  shownReason?: 'coins_refused',
): Promise<number> {
  const { db, ledger, runtime, log } = context
  const { paymentId, failures } = due
  const place = placeOf(context, due)
  const atMs = runtime.nowMs()
  const later = planAfterFailure(Math.min(failures + 1, failuresMax), atMs)
  const dueAtMs = as === undefined ? later.dueAtMs : atMs + againDelayMs
  await db.write(async (tx) => {
    if (!(await failQueuedStray(tx, place, { failures, dueAtMs }))) return
    const state = as ?? (later.isGivenUp ? 'failed' : 'failing')
    await ledger.applyIn(tx, paymentId, {
      type: 'stray.refund_failed',
      ...place,
      as: state,
      atMs,
      ...(shownReason && { reason: shownReason }),
    })
  })
  log.warn({ ...place, failures: failures + 1, reason }, 'A stray cannot be sent back now')
  return 1
}
