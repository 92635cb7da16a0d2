import type { Hex } from 'viem'
import { baseUnits } from '../../../core/money.ts'
import type { DepositPayment } from '../../../payment/payment.ts'
import { coinAddress, isSameToken } from '../../../payment/unmatched.ts'
import { openOf } from '../../../payout/outgoing-store.ts'
import type { Preflight, ReadyToSend } from '../../../payout/payout-chain.ts'
import { dollarRateOf, isTooSmall } from '../../../payout/payout-plan.ts'
import type { DuePayout, Sending } from '../../../payout/payout-queue-store.ts'
import { parseDepositTerms, type StoredTerms } from '../deposit/deposit-terms.ts'
import { encodeRefund, type RefundCall, type RefundCheck } from '../deposit/refund-call.ts'
import type { Head } from '../send/evm-sender.ts'
import { costMax } from '../send/evm-transaction.ts'
import { findExternalRefund } from './external-refund.ts'
import { warnEmpty } from './gas-balance.ts'
import { countPending, openMax, unprovenMax } from './monitor.ts'
import { contextOf, type PayoutContext } from './payout-context.ts'
import { readProvenTerms } from './preflight.ts'
import { broadcast, signAndStore } from './sign-and-store.ts'

/** Maximum pause before re-reading a chain whose clock lags behind the service's. */
const retryDelayMaxMs = 10_000

/** Delay while a former operator has the maximum number of pending transactions. */
const fullDelayMs = 15_000

/** Added to the measured gas: the recipient's first token balance may cost more. */
const spareGas = 20_000n

/**
 * Maximum gas of a coin return, as a multiple of a return to the operator's own account, which runs no external code. The
 * forwarder bounds the recipient's gas; this also covers forwarders without that bound.
 */
const plainCostsMax = 2n

/**
 * Simulates a refund: the operator's call of the deposit's forwarder. The amount never exceeds what the chain can still refund.
 * Money refunded before (manually, or before a backup was restored) is counted and cannot be sent twice.
 */
export async function prepareRefund(
  context: PayoutContext,
  payout: DuePayout,
  { address, amount }: Sending,
  head: Head,
): Promise<Preflight> {
  const terms = provenTerms(payout, context.network.chainId)
  if (terms instanceof Error) return { refused: { reason: terms.message } }
  const by = await senderOf(context, terms)
  if ('refused' in by || 'retryAtMs' in by) return by
  const { call, result } = await check(context, { terms, token: terms.token, to: address as Hex, amount })
  if ('gas' in result) return readyToSend(by, call, result.gas, head)
  if (result.error === 'NotRefundable' && result.refundable === 0n) {
    const external = await findExternalRefund(context, payout, terms.token, head)
    if (external === 'counted') return { isEmpty: true }
    if (external === 'waiting') return { retryAtMs: context.runtime.nowMs() + context.network.pollMs }
  }
  const leftMs = (terms.deadlineSeconds - head.timeSeconds + 1) * 1_000
  if (leftMs <= 0 || result.error !== 'NotRefundable') return { refused: { reason: result.reason } }
  // A payment that a caller ended is not refunded before its deadline: the customer may still pay the rest.
  return { retryAtMs: context.runtime.nowMs() + Math.min(leftMs, retryDelayMaxMs) }
}

/**
 * Simulates the return of an unmatched transfer on the chain where it arrived. If nothing is left to return, the payment records
 * that.
 */
export async function prepareReturn(
  context: PayoutContext,
  payout: DuePayout,
  { address, amount }: Sending,
  { payment, head }: { payment: DepositPayment; head: Head },
): Promise<Preflight> {
  const { sender, network } = context
  const terms = provenTerms(payout, undefined)
  if (terms instanceof Error) return { refused: { reason: terms.message } }
  // The factory must be known to exist on this network: calling an address without code succeeds without effect.
  if (terms.factory.toLowerCase() !== network.factory.toLowerCase()) {
    const reason = `the address belongs to the factory ${terms.factory}, which is not configured here`
    return { refused: { reason } }
  }
  const by = await senderOf(context, terms)
  if ('refused' in by || 'retryAtMs' in by) return by
  const { call, result } = await check(context, { terms, token: payout.token as Hex, to: address as Hex, amount })
  if ('reason' in result) {
    if (result.error !== 'NotRefundable') return refusedReturn(result)
    await emitBalance(context, payout, payment, { balance: result.refundable, block: head.number })
    return { isEmpty: true }
  }
  if (call.token === coinAddress) {
    const plain = await sender.checkRefund({ ...call, to: by.account })
    if ('gas' in plain && result.gas > plainCostsMax * plain.gas) {
      const reason = `CoinsRefused: sending to ${call.to} takes ${result.gas} gas, to an account ${plain.gas}`
      return refusedReturn({ error: 'CoinsRefused', reason })
    }
  }
  const unmatched = payment.unmatched.find((one) => isSameToken(one, payout))
  const feeWei = costMax({ gas: withSpareGas(result.gas), ...(await sender.fees(head)) })
  const dollarRate =
    unmatched?.currency === payment.currency
      ? payment.dollarRate
      : dollarRateOf(network.tokens ?? [], unmatched?.currency ?? '')
  if (unmatched && isTooSmall({ ...unmatched, dollarRate }, { amount: call.amount, feeWei }, network)) {
    return { refused: { reason: 'the fee exceeds the amount', state: 'too_small' } }
  }
  return readyToSend(by, call, result.gas, head)
}

/** The context of the only account that the terms allow to refund: the operator, or a former one. */
async function senderOf(
  context: PayoutContext,
  { operator }: StoredTerms,
): Promise<PayoutContext | Extract<Preflight, { refused: unknown } | { retryAtMs: number }>> {
  const by = contextOf(context, operator)
  if (by === undefined) {
    return { refused: { reason: `only the operator ${operator} may send it: add its key to FORMER_OPERATOR_KEYS` } }
  }
  if (by === context) return by
  const { db, network, runtime } = context
  const { emptyUntilMs } = by.memory
  if (runtime.nowMs() < emptyUntilMs) return { retryAtMs: emptyUntilMs }
  const open = await db.read((tx) => openOf(tx, network.shortName, by.account, openMax + unprovenMax))
  const isFull = countPending(open, context) >= openMax
  return isFull ? { retryAtMs: runtime.nowMs() + fullDelayMs } : by
}

/** The reason is the address: an address that rejects coins is not retried until it is replaced. */
function refusedReturn({ error, reason }: { error: string | null; reason: string }): Preflight {
  if (error !== 'CoinsRefused') return { refused: { reason } }
  return { refused: { reason, state: 'failed', shownReason: 'coins_refused' } }
}

/**
 * Parses terms and verifies them against the address.
 * @param chainId - Undefined for a return, whose terms may be for another network.
 */
function provenTerms(payout: DuePayout, chainId: number | undefined): StoredTerms | Error {
  try {
    return readProvenTerms(payout, chainId ?? parseDepositTerms(payout.depositTerms).chainId)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Simulates the call, with the refundable amount if that is less. */
async function check(
  { sender }: PayoutContext,
  planned: RefundCall,
): Promise<{ call: RefundCall; result: RefundCheck }> {
  const result = await sender.checkRefund(planned)
  if ('gas' in result || result.refundable === 0n || result.refundable >= planned.amount) {
    return { call: planned, result }
  }
  const call = { ...planned, amount: result.refundable }
  return { call, result: await sender.checkRefund(call) }
}

/** Gas limit for the measured gas. Unused gas is not charged. */
const withSpareGas = (gas: bigint): bigint => (gas * 6n) / 5n + spareGas

function readyToSend(context: PayoutContext, call: RefundCall, measuredGas: bigint, head: Head): ReadyToSend {
  const { sender, account } = context
  const gas = withSpareGas(measuredGas)
  return {
    amount: call.amount,
    async send(store) {
      const fees = await sender.fees(head)
      const balanceWei = await sender.balance(account)
      const neededWei = costMax({ gas, ...fees })
      if (neededWei > balanceWei) {
        warnEmpty(context, { neededWei, balanceWei })
        return undefined
      }
      const data = encodeRefund(call)
      const stored = await signAndStore(context, { to: call.terms.factory, data, gas, ...fees }, store)
      if (stored === undefined) return undefined
      await broadcast(context, stored)
      return { txId: stored.txId, nonce: stored.nonce }
    },
  }
}

/** Records on the payment how much of an unmatched token its deposit address holds. */
async function emitBalance(
  { db, ledger, runtime }: PayoutContext,
  payout: DuePayout,
  payment: DepositPayment,
  { balance, block }: { balance: bigint; block: number },
): Promise<void> {
  const unmatched = payment.unmatched.find((one) => isSameToken(one, payout))
  if (unmatched === undefined) return
  const { network, token, currency, decimals } = unmatched
  await db.write((tx) =>
    ledger.applyIn(tx, payout.paymentId, {
      type: 'unmatched.measured',
      network,
      token,
      currency,
      decimals,
      balance: baseUnits(String(balance)),
      block,
      txId: null,
      atMs: runtime.nowMs(),
    }),
  )
}
