import { type DepositPayment, outcomeOf } from '../../../payment/payment.ts'
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
import { TakenError } from '../../evm/payout/send-sweeps.ts'
import { type ProvenDeposit, payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { type Sent, sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'

/** Refunds of one pass: each is a transaction of its own, and sweeps wait behind it. */
const refundsMax = 5

/** Refunds of one payment that are made at once: whoever sends money in drops must not make us pay fees for each of them. */
const promptMax = 3

/** What comes after those goes back together, this long after the one before. */
const togetherMs = 24 * 60 * 60 * 1000

/** After a fault of a node, so that those that cannot be looked at do not stay in front of the others. */
const faultDelayMs = 30_000

/** Longest pause before a chain whose clock is behind ours is looked at again. */
const lookAgainMaxMs = 10_000

/** A transfer and the closing; what is not used is not paid. */
const refundUnits = 60_000

/**
 * Sends back what is due, by the same plan as on the other chains. The amount is what the payment's confirmed transfers say,
 * and never more than what the account holds.
 * @returns how many are on their way or were put off. @throws the first fault, after the others had their turn.
 */
export async function sendSolanaRefunds(
  context: SolanaContext,
  head: { slot: number; timeMs: number },
): Promise<number> {
  const { db, network, runtime } = context
  const scope = { network: network.shortName, nowMs: runtime.nowMs(), head: head.slot, limit: refundsMax }
  let done = 0
  let fault: unknown
  for (const refund of await db.read((tx) => dueRefunds(tx, scope))) {
    if (runtime.nowMs() < context.memory.emptyUntilMs) break
    try {
      const sent = await sendRefund(context, refund, head.timeMs)
      if (sent?.result === 'refused') await fail(context, refund, sent.reason)
      if (sent && sent.result !== 'waiting') done += 1
    } catch (error) {
      await db.write((tx) => postponeRefund(tx, refund.paymentId, runtime.nowMs() + faultDelayMs))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

/** Undefined when there is nothing to be sent any more, or not yet. */
async function sendRefund(
  context: SolanaContext,
  { paymentId }: DueRefund,
  chainTimeMs: number,
): Promise<Sent | undefined> {
  const { db, network, log } = context
  const payment = await db.read((tx) => loadPayment(tx, paymentId))
  const planned = payment === undefined ? 0n : planRefund(payment)
  if (payment?.mode !== 'deposit' || payment.refundAddress === null || planned === 0n) {
    await db.write((tx) => deleteRefund(tx, paymentId))
    return undefined
  }
  if (await isTooEarly(context, payment, chainTimeMs)) return undefined
  const checked = await check(context, payment, planned)
  if ('result' in checked) return checked
  const { deposit, amount, isEmptied } = checked
  const address = payment.refundAddress
  const payouts = [{ payee: payeeOf(deposit.terms.mint, address), amount }]
  const draft = {
    ...{ purpose: 'refund' as const, owners: [payment.depositTerms], units: refundUnits, accountsMade: 0 },
    instructions: payoutInstructions(context, deposit, payouts, { makes: [], isEmptied }),
  }
  const sent = await sendSolana(context, draft, async (tx, transactionId) => {
    const now = await loadPayment(tx, paymentId)
    // A fork, or another address, since it was planned.
    if (now?.mode !== 'deposit' || now.refundAddress !== address) throw new TakenError()
    if (planRefund(now) < amount || !(await markRefundSent(tx, paymentId, transactionId))) throw new TakenError()
    await insertOutgoingRefund(tx, { transactionId, paymentId, token: deposit.terms.mint, address, amount })
  })
  if (sent.result === 'sent') {
    const fields = { network: network.shortName, paymentId, txId: sent.txId, address, amount: String(amount) }
    log.info(fields, 'Money is being sent back')
  }
  return sent
}

/** Puts off what comes in drops, and what a customer may still be adding to. */
async function isTooEarly(
  { db, runtime }: SolanaContext,
  payment: DepositPayment,
  chainTimeMs: number,
): Promise<boolean> {
  const { id } = payment
  const { count, newestAtMs } = await db.read((tx) => refundsTried(tx, id))
  if (count >= promptMax && runtime.nowMs() < newestAtMs + togetherMs) {
    await db.write((tx) => postponeRefund(tx, id, newestAtMs + togetherMs))
    return true
  }
  // Of a payment that was ended by hand nothing goes back before its deadline.
  const leftMs = payment.windowEndsAtMs - chainTimeMs
  if (outcomeOf(payment) === 'paid' || leftMs < 0) return false
  await db.write((tx) => postponeRefund(tx, id, runtime.nowMs() + Math.min(leftMs + 1_000, lookAgainMaxMs)))
  return true
}

type Checked = { deposit: ProvenDeposit; amount: bigint; isEmptied: boolean }

/** What the chain says: how much, or why not. */
async function check(
  context: SolanaContext,
  payment: DepositPayment,
  planned: bigint,
): Promise<Checked | { result: 'refused'; reason: string }> {
  const refuse = (reason: string) => ({ result: 'refused' as const, reason })
  let deposit: ProvenDeposit
  try {
    deposit = proveDeposit(context, payment)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
  const payee = payeeOf(deposit.terms.mint, payment.refundAddress ?? '')
  const [held, wallet, account] = await context.sender.accounts([deposit.account, payee.wallet, payee.account])
  const walletFault = payeeFault(payee, wallet)
  if (walletFault !== undefined) return refuse(walletFault)
  // We do not make it: whoever asked for refunds to new addresses could close them, and keep the rent that we paid.
  if (account?.token?.owner !== payee.wallet) {
    return refuse(
      `${payee.wallet} has no account for ${payment.currency} yet: it must hold some once, or be another address`,
    )
  }
  if (account.token.isFrozen) return refuse(`the account of ${payee.wallet} is frozen`)
  const balance = held?.token?.amount ?? 0n
  const amount = planned < balance ? planned : balance
  if (amount === 0n) return refuse(`the account ${deposit.account} holds nothing`)
  return { deposit, amount, isEmptied: amount === balance }
}

/** Counts a failure and tells the payment. */
async function fail({ db, ledger, network, runtime, log }: SolanaContext, refund: DueRefund, reason: string) {
  const { paymentId, failures } = refund
  const atMs = runtime.nowMs()
  await db.write(async (tx) => {
    const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
    if (!(await failQueuedRefund(tx, refund, dueAtMs))) return
    await ledger.applyIn(tx, paymentId, { type: 'refund.failed', isGivenUp, atMs })
  })
  log.warn({ network: network.shortName, paymentId, failures: failures + 1, reason }, 'Money cannot be sent back now')
}
