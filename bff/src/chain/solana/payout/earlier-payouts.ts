import type { PaymentId } from '../../../payment/payment.ts'
import {
  firstConfirmedTxId,
  type GivenUp,
  givenUpTransactions,
  type Payout,
} from '../../../payout/payout-queue-store.ts'
import type { SolanaContext } from './solana-context.ts'

/** A payout whose account cannot be read to the end is tried again after this. */
export const historyRetryMs = 15_000

/** The transactions that a payout made before, and a payment's account. */
type Searched = {
  paymentId: PaymentId
  account: string
  transactions: readonly Pick<GivenUp, 'txId' | 'lastValidHeight'>[]
}

/**
 * Reads what the final blocks have of a deposit's account.
 * @returns undefined, and warns, while too few nodes list the account from its first transfer on: then nothing may be paid again.
 */
export async function readHistory(
  { db, sender, network, log }: SolanaContext,
  { paymentId, account, transactions }: Searched,
): Promise<{ landed: string[]; failed: string[] } | undefined> {
  const since = await db.read((tx) => firstConfirmedTxId(tx, paymentId))
  const txIds = transactions.map(({ txId }) => txId)
  const lastValidHeight = Math.max(0, ...transactions.map((one) => one.lastValidHeight))
  const { listed, isComplete } = await sender.history({ account, txIds, lastValidHeight, since })
  const landed = listed.filter(({ isFailed }) => !isFailed).map(({ txId }) => txId)
  const failed = listed.filter(({ isFailed }) => isFailed).map(({ txId }) => txId)
  if (isComplete || listed.some(({ txId }) => txIds.includes(txId))) return { landed, failed }
  log.warn(
    { network: network.shortName, paymentId, account },
    'A payout waits: too few nodes have the history of its account. Add nodes to rpcUrls that keep transactions.',
  )
  return undefined
}

/**
 * Looks for the payout's own earlier transactions before it is made again.
 * @returns `unknown` while that cannot be said; the one that landed, undefined when none did.
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
