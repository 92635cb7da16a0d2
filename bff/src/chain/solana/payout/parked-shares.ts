import type { Tx } from '../../../db/db.ts'
import { isSwept } from '../../../payment/payment.ts'
import { refundableOf } from '../../../payment/payment-sums.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import {
  type DueShare,
  deleteShare,
  dueShares,
  markShareSent,
  postponeShare,
  shareOfTransaction,
} from '../../../payout/parked-share-store.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { findShare, historyRetryMs, readHistory, uncountedTransactions } from './earlier-payouts.ts'
import { payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { pausedUntilMs, sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import { accountMoved, loadOutgoing } from './solana-outgoing-store.ts'

/** Maximum shares per pass: each is a separate transaction. */
const batchMax = 5

/** Compute units for a new account, a transfer and the closing; unused units are not charged. */
const shareUnits = 100_000

/** Delay of a share whose sweep is not final, or after a node's fault. */
const waitDelayMs = 30_000

/**
 * Pays the platform's parked shares, whose account was frozen when their deposits were swept.
 * @returns how many shares made progress.
 * @throws the first fault, after every share was attempted.
 */
export async function payParkedShares(context: SolanaContext): Promise<number> {
  const { db, network, runtime } = context
  const due = await db.read((tx) => dueShares(tx, network.shortName, runtime.nowMs(), batchMax))
  let done = 0
  let fault: unknown
  for (const { key, parse } of due) {
    if (runtime.nowMs() < pausedUntilMs(context, 0)) break
    try {
      done += await payShare(context, parse())
    } catch (error) {
      const dueAtMs = runtime.nowMs() + waitDelayMs
      await db.write((tx) => postponeShare(tx, key, { dueAtMs, reason: null }))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

async function payShare(context: SolanaContext, share: DueShare): Promise<number> {
  const { db, sender, network, runtime, log } = context
  const { paymentId, amount } = share
  const nowMs = runtime.nowMs()
  const refuse = async (reason: string): Promise<number> => {
    const { dueAtMs } = planAfterFailure(share.failures + 1, nowMs)
    await db.write((tx) => postponeShare(tx, share, { dueAtMs, reason }))
    log.warn(
      { network: network.shortName, paymentId, reason },
      'Paying a parked share to the platform failed; retrying',
    )
    return 1
  }
  const payment = paymentId === null ? undefined : await db.read((tx) => loadPayment(tx, paymentId))
  if (payment?.mode !== 'deposit') return await refuse('no such deposit')
  // The share is parked only once its sweep is final: until then the sweep may be sent again, and pay the share itself.
  if (!isSwept(payment)) {
    await db.write((tx) => postponeShare(tx, share, { dueAtMs: nowMs + waitDelayMs, reason: null }))
    return 0
  }
  const deposit = proveDeposit(context, payment)
  if (deposit instanceof Error) return await refuse(deposit.message)
  const earlier = await findEarlierShare(context, share, deposit.account)
  if (earlier === 'unknown') {
    await db.write((tx) => postponeShare(tx, share, { dueAtMs: nowMs + historyRetryMs, reason: null }))
    return 0
  }
  if (earlier === 'landed') {
    await db.write((tx) => finalizeShare(context, tx, share.transactionId ?? '', true))
    return 1
  }
  const platform = payeeOf(deposit.terms.mint, deposit.terms.platform)
  const [held, wallet, account] = await sender.accounts([deposit.account, platform.wallet, platform.account])
  const fault = account?.token?.isFrozen === true ? 'its account is frozen' : payeeFault(platform, wallet)
  if (fault !== undefined) return await refuse(`the platform cannot be paid: ${fault}`)
  const balance = held?.token?.amount ?? 0n
  // The address also holds money owed to payers, which is never paid out as a share.
  const owed = refundableOf(payment)
  if (balance < owed + amount) {
    // A restored database may lack the transaction that paid the share.
    const unknown = await uncountedTransactions(context, payment, deposit.account)
    if (unknown === undefined) {
      await db.write((tx) => postponeShare(tx, share, { dueAtMs: nowMs + historyRetryMs, reason: null }))
      return 0
    }
    const { account, terms } = deposit
    const txId = await findShare(context, payment, { account, terms, unknown, fee: amount })
    if (txId !== undefined) {
      await db.write(async (tx) => {
        await deleteShare(tx, share)
        await accountMoved(tx, payment.id, nowMs)
      })
      log.warn(
        { network: network.shortName, paymentId, txId },
        'A parked share was paid by a transaction missing from the books',
      )
      return 1
    }
    return await refuse(`the account ${deposit.account} holds ${balance}, of which ${owed} are owed to payers`)
  }
  const makes = account === undefined ? [platform] : []
  const instructions = payoutInstructions(context, deposit, [{ payee: platform, amount }], {
    makes,
    isEmptied: balance === amount,
  })
  const draft = { purpose: null, instructions, owners: [payment.depositTerms], units: shareUnits }
  const sent = await sendSolana(context, { ...draft, accountsMade: makes.length }, async (tx, transactionId) => {
    if (!(await markShareSent(tx, share, { transactionId, dueAtMs: nowMs }))) throw new ConflictError()
  })
  if (sent === undefined) {
    const dueAtMs = Math.max(nowMs + waitDelayMs, pausedUntilMs(context, makes.length))
    await db.write((tx) => postponeShare(tx, share, { dueAtMs, reason: null }))
    return 0
  }
  if ('refused' in sent) return await refuse(sent.refused.reason)
  log.info(
    { network: network.shortName, paymentId, amount: String(amount), txId: sent.txId },
    'Paying a parked share to the platform',
  )
  return 1
}

/** Searches for the share's earlier transaction, even if it seems expired: a single wrong response must not pay a share twice. */
async function findEarlierShare(
  context: SolanaContext,
  { transactionId, paymentId }: DueShare,
  account: string,
): Promise<'landed' | 'none' | 'unknown'> {
  if (transactionId === null || paymentId === null) return 'none'
  const earlier = await context.db.read((tx) => loadOutgoing(tx, transactionId))
  if (earlier === undefined) return 'none'
  const history = await readHistory(context, { paymentId, account, transactions: [earlier] })
  if (history === undefined) return 'unknown'
  return history.landed.includes(earlier.txId) ? 'landed' : 'none'
}

/** Completes a share that the transaction paid; otherwise the share is due again. */
export async function finalizeShare(
  { network, runtime, log }: SolanaContext,
  tx: Tx,
  transactionId: string,
  hasLanded: boolean,
): Promise<void> {
  const share = await shareOfTransaction(tx, transactionId)
  if (share === undefined) return
  const nowMs = runtime.nowMs()
  if (!hasLanded) {
    await postponeShare(tx, share, { dueAtMs: nowMs, reason: null })
    return
  }
  await deleteShare(tx, share)
  if (share.paymentId !== null) await accountMoved(tx, share.paymentId, nowMs)
  const fields = { network: network.shortName, paymentId: share.paymentId, amount: String(share.amount) }
  tx.afterCommit(() => log.info(fields, 'A parked share was paid to the platform'))
}
