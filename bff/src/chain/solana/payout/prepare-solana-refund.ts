import { type DepositPayment, outcomeOf } from '../../../payment/payment.ts'
import type { Preflight } from '../../../payout/payout-chain.ts'
import { countExternalRefund } from '../../../payout/payout-finalize.ts'
import { type DuePayout, payoutTransactions, type Sending } from '../../../payout/payout-queue-store.ts'
import { type ProvenDeposit, payeeFault, payeeOf, payoutInstructions, proveDeposit } from './payout-instructions.ts'
import { sendSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import type { SolanaHead } from './solana-sender.ts'

/** Longest pause before a chain whose clock is behind ours is asked again. */
const retryDelayMaxMs = 10_000

/** A transfer and the closing; what is not used is not paid. */
const refundUnits = 60_000

/** Checks a refund with the chain. The amount is never more than what the deposit's token account holds. */
export async function prepareSolanaRefund(
  context: SolanaContext,
  payout: DuePayout,
  planned: Sending,
  { payment, head }: { payment: DepositPayment; head: SolanaHead },
): Promise<Preflight> {
  const { sender, runtime } = context
  // Of a payment that was ended by hand nothing goes back before its deadline: the customer may still be paying the rest.
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
  // The service does not make the account: the recipient could close it, and keep the rent that the service paid.
  if (account?.token?.owner !== payee.wallet) {
    return refuse(
      `${payee.wallet} has no account for ${payment.currency} yet: it must hold some once, or be another address`,
    )
  }
  if (account.token.isFrozen) return refuse(`the account of ${payee.wallet} is frozen`)
  const balance = held?.token?.amount ?? 0n
  if (balance === 0n && (await findForgotten(context, payout, payment, deposit))) return { isEmpty: true }
  const amount = planned.amount < balance ? planned.amount : balance
  if (amount === 0n) return refuse(`the account ${deposit.account} holds nothing`)
  const instructions = payoutInstructions(context, deposit, [{ payee, amount }], {
    makes: [],
    isEmptied: amount === balance,
  })
  const draft = { purpose: 'refund', owners: [payment.depositTerms], units: refundUnits, accountsMade: 0 } as const
  return { amount, send: (store) => sendSolana(context, { ...draft, instructions }, store) }
}

/** A restored database has forgotten what was sent back since. Only our own key can have sent it. @returns whether a refund was found. */
async function findForgotten(
  context: SolanaContext,
  payout: DuePayout,
  { id, sweepTxId }: DepositPayment,
  { account, terms }: ProvenDeposit,
): Promise<boolean> {
  const known = await context.db.read((tx) => payoutTransactions(tx, id))
  const found = await context.sender.findRefund({ account, mint: terms.mint }, [...known, sweepTxId ?? ''])
  if (found === undefined) return false
  await countExternalRefund(context, payout, found)
  return true
}
