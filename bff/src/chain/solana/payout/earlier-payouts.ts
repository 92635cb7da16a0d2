import type { DepositPayment, PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import {
  firstConfirmedTxId,
  type GivenUp,
  givenUpTransactions,
  type Payout,
  payoutTransactions,
} from '../../../payout/payout-queue-store.ts'
import type { SolanaTerms } from '../facts/solana-deposit-terms.ts'
import { payeeOf } from './payout-instructions.ts'
import type { SolanaContext } from './solana-context.ts'

/** Retry delay of a payout while its account's history is incomplete. */
export const historyRetryMs = 15_000

/** A payout's earlier transactions, and the payment's account. */
type Searched = {
  paymentId: PaymentId
  account: string
  transactions: readonly Pick<GivenUp, 'txId' | 'lastValidHeight'>[]
}

/**
 * Reads the final history of a deposit's account. One node is believed that a transaction landed, unless the payment is of high value.
 * @returns undefined, with a warning, while too few nodes list the account from its first transfer on, or contradict each other: then
 *   nothing may be paid again.
 */
export async function readHistory(
  { db, sender, network, log }: SolanaContext,
  { paymentId, account, transactions }: Searched,
): Promise<{ landed: string[]; failed: string[] } | undefined> {
  const { since, isHighValue } = await db.read(async (tx) => ({
    since: await firstConfirmedTxId(tx, paymentId),
    isHighValue: (await loadPayment(tx, paymentId))?.confirmations != null,
  }))
  const txIds = transactions.map(({ txId }) => txId)
  const lastValidHeight = Math.max(0, ...transactions.map((one) => one.lastValidHeight))
  const { listed, isComplete } = await sender.history({ account, txIds, lastValidHeight, since })
  const landed = listed.filter(({ isFailed }) => !isFailed).map(({ txId }) => txId)
  const failed = listed.filter(({ isFailed }) => isFailed).map(({ txId }) => txId)
  const claimed = landed.filter((txId) => txIds.includes(txId))
  let isBelieved = true
  for (const txId of isHighValue ? claimed : []) isBelieved &&= await sender.isFinalized({ txId, isFailed: false })
  // A single node's report of a failure does not cause a resend.
  if (isBelieved && (isComplete || claimed.length > 0)) return { landed, failed }
  log.warn(
    { network: network.shortName, paymentId, account },
    'A payout waits: too few nodes have the history of its account. Add nodes to rpcUrls that keep transactions.',
  )
  return undefined
}

/**
 * Searches for the payout's earlier transactions before it is sent again.
 * @returns `unknown` while the history is incomplete; the transaction that landed; undefined if none did.
 */
export async function findEarlier(
  context: SolanaContext,
  payout: Payout,
  account: string,
): Promise<GivenUp | undefined | 'unknown'> {
  const transactions = await context.db.read((tx) => givenUpTransactions(tx, payout))
  if (transactions.length === 0) return undefined
  const history = await readHistory(context, { paymentId: payout.paymentId, account, transactions })
  if (history === undefined) return 'unknown'
  return transactions.find(({ txId }) => history.landed.includes(txId))
}

/** Final transactions of a deposit's account that no payout of the books names: also its incoming ones. Undefined as `readHistory`. */
export async function uncountedTransactions(
  context: SolanaContext,
  payment: DepositPayment,
  account: string,
): Promise<string[] | undefined> {
  const history = await readHistory(context, { paymentId: payment.id, account, transactions: [] })
  if (history === undefined) return undefined
  const counted = await context.db.read((tx) => payoutTransactions(tx, payment.id))
  const known = new Set([...counted, payment.sweepTxId])
  return history.landed.filter((txId) => !known.has(txId))
}

/** Which of the transactions paid the platform's parked share from the account; undefined: none. */
export async function findShare(
  { sender }: SolanaContext,
  { confirmations }: DepositPayment,
  { account, terms, unknown, fee }: { account: string; terms: SolanaTerms; unknown: readonly string[]; fee: bigint },
): Promise<string | undefined> {
  const { account: platform } = payeeOf(terms.mint, terms.platform)
  const to = { account: platform, least: fee, most: fee }
  return (await sender.findPayout(unknown, { account, isHighValue: confirmations !== null }, to))?.txId
}
