import { baseUnits } from '../../../core/money.ts'
import type { DepositPayment } from '../../../payment/payment.ts'
import { availableOf } from '../../../payment/payment-sums.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { restoreLanded } from '../../../payout/outgoing-store.ts'
import { deleteShare, saveParkedShare } from '../../../payout/parked-share-store.ts'
import { failPayouts, forEachPayout } from '../../../payout/payout-failure.ts'
import {
  type DuePayout,
  deletePayout,
  endOutgoingPayout,
  insertOutgoingPayout,
  markPayoutSent,
  postponePayout,
} from '../../../payout/payout-queue-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import type { SolanaTerms } from '../facts/solana-deposit-terms.ts'
import { findEarlier, historyRetryMs, readHistory } from './earlier-payouts.ts'
import { payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { pausedUntilMs, type Sent, sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import { accountMoved } from './solana-outgoing-store.ts'

/** Compute units for two new accounts, two transfers and the closing; unused units are not charged. */
const sweepUnits = 150_000

const wholeBps = 10_000n

/**
 * Pays merchant and platform, in one atomic transaction per deposit.
 * @returns how many were sent or refused.
 * @throws the first fault, after the others were attempted.
 */
export async function sendSolanaSweeps(context: SolanaContext, due: readonly DuePayout[]): Promise<number> {
  const send = async (sweep: DuePayout): Promise<number> => {
    const sent = await sendSweep(context, sweep)
    if (sent === undefined) return 0
    if ('refused' in sent) await failPayouts(context, [{ ...sweep, refused: sent.refused }])
    return 1
  }
  return await forEachPayout(context, due, send, () => pausedUntilMs(context, 0))
}

async function sendSweep(context: SolanaContext, sweep: DuePayout): Promise<Sent> {
  const { paymentId } = sweep
  const { db, sender, network, log } = context
  const payment = await db.read((tx) => loadPayment(tx, paymentId))
  const refuse = (reason: string): Sent => ({ refused: { reason } })
  if (payment?.mode !== 'deposit') return refuse('no such deposit')
  const deposit = proveDeposit(context, payment)
  if (deposit instanceof Error) return refuse(deposit.message)
  const { terms, account } = deposit
  const [merchant, platform] = [payeeOf(terms.mint, terms.merchant), payeeOf(terms.mint, terms.platform)]
  const [held, merchantWallet, merchantAccount, platformWallet, platformAccount] = await sender.accounts([
    ...[account, merchant.wallet, merchant.account, platform.wallet, platform.account],
  ])
  const balance = held?.token?.amount ?? 0n
  const isShort = balance < availableOf(payment)
  const uncounted = await findUncounted(context, sweep, payment, {
    account,
    merchantAccount: merchant.account,
    platformAccount: platform.account,
    terms,
    isShort,
  })
  if (uncounted === 'unknown') {
    await db.write((tx) => postponePayout(tx, sweep, context.runtime.nowMs() + historyRetryMs))
    return undefined
  }
  if (uncounted !== undefined) return await confirmUncounted(context, sweep, payment, { ...uncounted, terms })
  if (balance < terms.least) {
    return refuse(`the account ${account} holds ${balance}, less than the minimum of ${terms.least}`)
  }
  const { paid, fee } = sharesOf(balance, terms)
  const merchantFault = payeeFault(merchant, merchantWallet)
  if (merchantFault !== undefined) return refuse(`the merchant cannot be paid: ${merchantFault}`)
  // If the platform cannot be paid, its share stays at the deposit address, so that the merchant is paid anyway.
  const platformFault =
    platformAccount?.token?.isFrozen === true ? 'its account is frozen' : payeeFault(platform, platformWallet)
  const isParked = fee > 0n && platformFault !== undefined
  const payouts = [
    ...(paid > fee ? [{ payee: merchant, amount: paid - fee }] : []),
    ...(fee > 0n && !isParked ? [{ payee: platform, amount: fee }] : []),
  ]
  const has = new Map([
    [merchant.account, merchantAccount],
    [platform.account, platformAccount],
  ])
  const makes = payouts.flatMap(({ payee }) => (has.get(payee.account) === undefined ? [payee] : []))
  const isEmptied = paid === balance && !isParked
  const instructions = payoutInstructions(context, deposit, payouts, { makes, isEmptied })
  const draft = { purpose: 'sweep' as const, instructions, owners: [payment.depositTerms], units: sweepUnits }
  const sent = await sendSolana(context, { ...draft, accountsMade: makes.length }, async (tx, transactionId) => {
    await markPayoutSent(tx, sweep, transactionId)
    await insertOutgoingPayout(tx, sweep, transactionId, { address: terms.merchant, amount: paid })
    // A repeated sweep may pay the share that the previous one had to leave.
    const share = shareOf(payment, terms, fee)
    const nowMs = context.runtime.nowMs()
    if (isParked) await saveParkedShare(tx, share, nowMs, planAfterFailure(1, nowMs).dueAtMs)
    else await deleteShare(tx, share)
  })
  // A payout whose new accounts cannot be funded now does not block the next ones.
  if (sent === undefined && makes.length > 0) {
    await db.write((tx) => postponePayout(tx, sweep, pausedUntilMs(context, makes.length)))
  }
  if (sent !== undefined && 'txId' in sent) {
    const fields = { network: network.shortName, paymentId, txId: sent.txId }
    log.info(
      { ...fields, merchantAmount: String(paid - fee), platformAmount: String(isParked ? 0n : fee) },
      'Settling a deposit',
    )
    if (isParked) log.warn({ ...fields, reason: platformFault }, "The platform's share stays at the deposit address")
  }
  return sent
}

/** The platform's share, as parked at the deposit address. */
const shareOf = ({ id, network, depositAddress }: DepositPayment, { mint, platform }: SolanaTerms, amount: bigint) => ({
  network,
  place: depositAddress,
  token: mint,
  recipient: platform,
  paymentId: id,
  amount,
})

/** A sweep missing from the books. `parked`: the platform's share that it left. */
type Uncounted = { txId: string; amount: bigint | undefined; parked: bigint }

/** The amount to pay from the balance, and the platform's share of it, rounded down. The merchant gets the rest. */
export function sharesOf(held: bigint, { amount, feeBps }: SolanaTerms): { paid: bigint; fee: bigint } {
  const paid = held > amount ? amount : held
  return { paid, fee: (paid * BigInt(feeBps)) / wholeBps }
}

/**
 * Finds a sweep on chain that the books lack: an earlier transaction that was given up or, when money is missing, one lost by a
 * restored database. Only the service's key can have paid the merchant.
 * @returns what it paid (undefined if an older version sent it); `unknown` while too few nodes have the account's history.
 */
async function findUncounted(
  context: SolanaContext,
  sweep: DuePayout,
  payment: DepositPayment,
  searched: { account: string; merchantAccount: string; platformAccount: string; terms: SolanaTerms; isShort: boolean },
): Promise<Uncounted | undefined | 'unknown'> {
  const { account, merchantAccount, platformAccount, terms, isShort } = searched
  const earlier = await findEarlier(context, sweep, account)
  if (earlier === 'unknown') return 'unknown'
  if (earlier !== undefined) {
    return { txId: earlier.txId, amount: earlier.amount === null ? undefined : BigInt(earlier.amount), parked: 0n }
  }
  if (!isShort) return undefined
  const history = await readHistory(context, { paymentId: payment.id, account, transactions: [] })
  if (history === undefined) return 'unknown'
  const from = { account, isHighValue: payment.confirmations !== null }
  // A merchant who is the platform too got both shares.
  const isBoth = merchantAccount === platformAccount
  const gainOf = (held: bigint) => (isBoth ? held : merchantShareOf(held, terms))
  // Within the tolerance, the sweep paid what had arrived by then.
  const [least, most] = [gainOf(terms.least), gainOf(terms.amount)]
  const sweptTo = { account: merchantAccount, least: least > 0n ? least : 1n, most }
  const found = await context.sender.findPayout(history.landed, from, sweptTo)
  if (found === undefined) return undefined
  const { txId, gain } = found
  if (isBoth) return { txId, amount: gain, parked: 0n }
  const platform = { account: platformAccount, least: 1n, most: terms.amount }
  const share = await context.sender.findPayout([txId], from, platform)
  if (share !== undefined) return { txId, amount: gain + share.gain, parked: 0n }
  const amount = sweptAmountOf(gain, terms)
  return { txId, amount, parked: amount - gain }
}

function merchantShareOf(held: bigint, terms: SolanaTerms): bigint {
  const { paid, fee } = sharesOf(held, terms)
  return paid - fee
}

/** The amount of a sweep that paid the merchant this share and parked the rest: of two with this share, the one due or the smaller. */
function sweptAmountOf(share: bigint, terms: SolanaTerms): bigint {
  if (share === merchantShareOf(terms.amount, terms)) return terms.amount
  return ((share - 1n) * wholeBps) / (wholeBps - BigInt(terms.feeBps)) + 1n
}

async function confirmUncounted(
  { db, ledger, network, runtime, log }: SolanaContext,
  sweep: DuePayout,
  payment: DepositPayment,
  { txId, amount, parked, terms }: Uncounted & { terms: SolanaTerms },
): Promise<Sent> {
  const { paymentId } = sweep
  const atMs = runtime.nowMs()
  const paid = amount === undefined ? {} : { amount: baseUnits(String(amount)) }
  await db.write(async (tx) => {
    const own = await restoreLanded(tx, network.shortName, txId)
    if (own !== undefined) await endOutgoingPayout(tx, sweep, own, 'confirmed')
    await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId, ...paid, atMs })
    await deletePayout(tx, sweep)
    await accountMoved(tx, paymentId, atMs)
    if (parked > 0n) await saveParkedShare(tx, shareOf(payment, terms, parked), atMs, planAfterFailure(1, atMs).dueAtMs)
  })
  log.warn(
    { network: network.shortName, paymentId, txId },
    'A deposit was settled by a transaction missing from the books',
  )
  return { txId }
}
