import { baseUnits, excess } from '../../../core/money.ts'
import { type DepositPayment, outcomeOf } from '../../../payment/payment.ts'
import { refundableOf, settledOf } from '../../../payment/payment-sums.ts'
import { parkedAt } from '../../../payout/parked-share-store.ts'
import type { Preflight } from '../../../payout/payout-chain.ts'
import { countExternalRefund } from '../../../payout/payout-finalize.ts'
import type { DuePayout, Sending } from '../../../payout/payout-queue-store.ts'
import { findEarlier, findShare, historyRetryMs, uncountedTransactions } from './earlier-payouts.ts'
import { type ProvenDeposit, payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import type { SolanaHead } from './solana-sender.ts'
import { sharesOf } from './solana-sweeps.ts'

/** Maximum pause before re-reading a chain whose clock lags behind the service's. */
const retryDelayMaxMs = 10_000

/** Compute units for a transfer and the closing; unused units are not charged. */
const refundUnits = 60_000

/** Prepares a refund. The amount never exceeds the balance of the deposit's token account. */
export async function prepareSolanaRefund(
  context: SolanaContext,
  payout: DuePayout,
  planned: Sending,
  { payment, head }: { payment: DepositPayment; head: SolanaHead },
): Promise<Preflight> {
  const { sender, runtime } = context
  // A payment ended manually is not refunded before its deadline: the customer may still pay the rest.
  const leftMs = payment.windowEndsAtMs - head.timeMs
  if (outcomeOf(payment) !== 'paid' && leftMs >= 0) {
    return { retryAtMs: runtime.nowMs() + Math.min(leftMs + 1_000, retryDelayMaxMs) }
  }
  const refuse = (reason: string): Preflight => ({ refused: { reason } })
  const deposit = proveDeposit(context, payment)
  if (deposit instanceof Error) return refuse(deposit.message)
  const payee = payeeOf(deposit.terms.mint, planned.address)
  const [held, wallet, account] = await sender.accounts([deposit.account, payee.wallet, payee.account])
  const walletFault = payeeFault(payee, wallet)
  if (walletFault !== undefined) return refuse(walletFault)
  // The service does not create the account: the recipient could close it, and keep the rent.
  if (account?.token?.owner !== payee.wallet) {
    return refuse(
      `${payee.wallet} has no token account for ${payment.currency}. Use an address that has held the token.`,
    )
  }
  if (account.token.isFrozen) return refuse(`the account of ${payee.wallet} is frozen`)
  const balance = held?.token?.amount ?? 0n
  const place = { network: context.network.shortName, place: payment.depositAddress, token: deposit.terms.mint }
  const parked = await context.db.read((tx) => parkedAt(tx, place))
  // Everything still to be returned, plus what is held for the merchant and the platform. If the balance is lower, money left that
  // the books do not know of.
  const kept = excess(refundableOf(payment), baseUnits(String(planned.amount))) + parked.amount
  const isShort = balance < planned.amount + kept
  if (isShort && parked.isLeaving) return { retryAtMs: runtime.nowMs() + retryDelayMaxMs }
  const uncounted = await findUncounted(context, payout, deposit, { isShort, payment })
  if (uncounted === 'unknown') return { retryAtMs: runtime.nowMs() + historyRetryMs }
  if (uncounted !== undefined) {
    await countExternalRefund(context, payout, uncounted)
    return { isEmpty: true }
  }
  const spare = balance > kept ? balance - kept : 0n
  const amount = planned.amount < spare ? planned.amount : spare
  if (amount === 0n) {
    const part = kept > 0n ? `, of which ${kept} are held for merchant and platform` : ''
    return refuse(`the account ${deposit.account} holds ${balance}${part}`)
  }
  const instructions = payoutInstructions(context, deposit, [{ payee, amount }], {
    makes: [],
    isEmptied: amount === balance,
  })
  const draft = { purpose: 'refund', owners: [payment.depositTerms], units: refundUnits, accountsMade: 0 } as const
  return { amount, send: (store) => sendSolana(context, { ...draft, instructions }, store) }
}

/**
 * Finds a refund on chain that the books lack: an earlier transaction of this payout that was given up or, when money is missing,
 * one lost by a restored database. Only the service's key can have sent either.
 * @returns `unknown` while too few nodes have the account's history.
 */
async function findUncounted(
  context: SolanaContext,
  payout: DuePayout,
  { account, terms }: ProvenDeposit,
  { isShort, payment }: { isShort: boolean; payment: DepositPayment },
): Promise<{ txId: string; to: string; amount: bigint } | undefined | 'unknown'> {
  const { sender } = context
  const earlier = await findEarlier(context, payout, account)
  if (earlier === 'unknown') return 'unknown'
  if (earlier !== undefined) {
    return { txId: earlier.txId, to: earlier.address ?? '', amount: BigInt(earlier.amount ?? '0') }
  }
  if (!isShort) return undefined
  const unknown = await uncountedTransactions(context, payment, account)
  if (unknown === undefined) return 'unknown'
  // A parked platform share, like a refund, went to a single account.
  const { fee } = sharesOf(settledOf(payment), terms)
  const share = fee > 0n ? await findShare(context, payment, { account, terms, unknown, fee }) : undefined
  const refunds = unknown.filter((txId) => txId !== share)
  return await sender.findRefund(refunds, { account, mint: terms.mint, isHighValue: payment.confirmations !== null })
}
