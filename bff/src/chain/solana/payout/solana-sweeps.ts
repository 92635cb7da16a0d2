import type { DepositPayment } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/payment-store.ts'
import { linkPayment } from '../../../payout/outgoing-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import {
  type DueSweep,
  deleteSweep,
  dueSweeps,
  failQueuedSweep,
  markSweepSent,
  postponeSweep,
} from '../../../payout/sweep-queue-store.ts'
import { TakenError } from '../../evm/payout/send-sweeps.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaTerms } from '../deposit/solana-deposit-terms.ts'
import { payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { type Sent, sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import { accountMoved } from './solana-outgoing-store.ts'

/** Sweeps of one pass: each is a transaction of its own, so that none holds up another. */
const sweepsMax = 10

/** Two new accounts, two transfers and the closing; what is not used is not paid. */
const sweepUnits = 150_000

/** After a fault of a node, so that those that cannot be looked at do not stay in front of the others. */
const faultDelayMs = 30_000

const wholeBps = 10_000n

/**
 * Pays what is due to merchant and platform, each deposit in one transaction that does all of it or nothing.
 * @returns how many are on their way or were put off. @throws the first fault, after the others had their turn.
 */
export async function sendSweeps(context: SolanaContext, head: number): Promise<number> {
  const { db, network, runtime } = context
  const scope = { network: network.shortName, nowMs: runtime.nowMs(), head, limit: sweepsMax }
  let done = 0
  let fault: unknown
  for (const sweep of await db.read((tx) => dueSweeps(tx, scope))) {
    if (runtime.nowMs() < context.memory.emptyUntilMs) break
    try {
      const sent = await sendSweep(context, sweep)
      if (sent.result === 'refused') await fail(context, sweep, sent.reason)
      if (sent.result !== 'waiting') done += 1
    } catch (error) {
      await db.write((tx) => postponeSweep(tx, sweep.paymentId, runtime.nowMs() + faultDelayMs))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

async function sendSweep(context: SolanaContext, { paymentId }: DueSweep): Promise<Sent> {
  const { db, sender, network, log } = context
  const payment = await db.read((tx) => loadPayment(tx, paymentId))
  if (payment?.mode !== 'deposit') return { result: 'refused', reason: 'there is no such deposit' }
  const deposit = proven(context, payment)
  if ('reason' in deposit) return deposit
  const { terms, account } = deposit
  const [merchant, platform] = [payeeOf(terms.mint, terms.merchant), payeeOf(terms.mint, terms.platform)]
  const [held, merchantWallet, merchantAccount, platformWallet, platformAccount] = await sender.accounts([
    ...[account, merchant.wallet, merchant.account, platform.wallet, platform.account],
  ])
  const balance = held?.token?.amount ?? 0n
  const refuse = (reason: string): Sent => ({ result: 'refused', reason })
  if (balance < terms.least) {
    const found = await findForgotten(context, payment, merchant.account, terms)
    if (found) return found
    return refuse(`the account ${account} holds ${balance}, less than the ${terms.least} that are accepted`)
  }
  const { paid, fee } = sharesOf(balance, terms)
  const merchantFault = payeeFault(merchant, merchantWallet)
  if (merchantFault !== undefined) return refuse(`the merchant cannot be paid: ${merchantFault}`)
  // Whoever cannot take the platform's share must not keep the merchant from its own: it waits at the deposit address.
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
    if (!(await markSweepSent(tx, paymentId, transactionId))) throw new TakenError()
    await linkPayment(tx, transactionId, paymentId)
  })
  if (sent.result === 'sent') {
    const fields = { network: network.shortName, paymentId, txId: sent.txId }
    log.info(
      { ...fields, merchantAmount: String(paid - fee), platformAmount: String(isParked ? 0n : fee) },
      'A deposit is being settled',
    )
    if (isParked) log.warn({ ...fields, reason: platformFault }, "The platform's share waits at the deposit address")
  }
  return sent
}

/** What is paid out of what there is, and how much of that is the platform's, rounded down. The rest is the merchant's. */
function sharesOf(held: bigint, { amount, feeBps }: SolanaTerms): { paid: bigint; fee: bigint } {
  const paid = held > amount ? amount : held
  return { paid, fee: (paid * BigInt(feeBps)) / wholeBps }
}

/**
 * A restored database has forgotten what was paid out since. Only our own key can have moved the money to the merchant: that
 * transaction is the sweep.
 */
async function findForgotten(
  { db, ledger, sender, network, runtime, log }: SolanaContext,
  payment: DepositPayment,
  merchantAccount: string,
  terms: SolanaTerms,
): Promise<Sent | undefined> {
  const came = payment.received + payment.late
  const { paid, fee } = sharesOf(came, terms)
  const gain = paid - fee
  if (gain === 0n) return undefined
  const { id } = payment
  const account = tokenAccountOf(terms.mint, payment.depositAddress)
  const txId = await sender.findPayout(account, { account: merchantAccount, gain })
  if (txId === undefined) return undefined
  const atMs = runtime.nowMs()
  await db.write(async (tx) => {
    await ledger.applyIn(tx, id, { type: 'sweep.confirmed', txId, atMs })
    await deleteSweep(tx, id)
    await accountMoved(tx, id, atMs)
  })
  log.warn(
    { network: network.shortName, paymentId: id, txId },
    'A deposit was settled by a transaction that was forgotten',
  )
  return { result: 'sent', txId }
}

function proven(context: SolanaContext, payment: Parameters<typeof proveDeposit>[1]) {
  try {
    return proveDeposit(context, payment)
  } catch (error) {
    return { result: 'refused' as const, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Counts a failure and tells the payment; what another sweeper counted already is left. */
async function fail({ db, ledger, network, runtime, log }: SolanaContext, sweep: DueSweep, reason: string) {
  const atMs = runtime.nowMs()
  const { paymentId, failures } = sweep
  await db.write(async (tx) => {
    const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
    if (!(await failQueuedSweep(tx, sweep, dueAtMs))) return
    await ledger.applyIn(tx, paymentId, { type: 'sweep.failed', isGivenUp, atMs })
  })
  log.warn({ network: network.shortName, paymentId, failures: failures + 1, reason }, 'A deposit cannot be settled now')
}
