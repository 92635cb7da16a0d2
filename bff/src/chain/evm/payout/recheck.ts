import type { Hex } from 'viem'
import { runAll } from '../../../core/run-all.ts'
import type { Tx } from '../../../db/db.ts'
import { clearRecheck, type Rechecked, reopenNonce, transactionsToRecheck } from '../../../payout/outgoing-store.ts'
import type { Head } from '../send/evm-sender.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import type { PayoutContext } from './payout-context.ts'
import { hasSettlementRecheck, recheckSettlements } from './recheck-settlements.ts'

/** Transactions per check; all transactions of a network are checked in turn until no reorg can reach them. */
const batchMax = 50

/** Interval of checks. The watcher also waits for reorgs to end, and a payout resent after some seconds is not late. */
const pauseMs = 15_000

type Context = Pick<PayoutContext, 'memory' | 'network' | 'runtime'>

const isDue = ({ memory, runtime }: Context): boolean => runtime.nowMs() >= memory.recheckDueAtMs

/** Whether final transactions are due for a check. */
export const hasRecheck = async (context: Context, tx: Tx): Promise<boolean> =>
  isDue(context) &&
  ((await transactionsToRecheck(tx, context.network.shortName, { limit: 1 })).length > 0 ||
    (await hasSettlementRecheck(context, tx)))

/**
 * Verifies that final transactions, the service's own and external settlements, are still on chain.
 * @returns how many have changed.
 * @throws the first fault, after all were checked.
 */
export async function recheckFinal(context: PayoutContext): Promise<number> {
  const { memory, network, runtime } = context
  if (!isDue(context)) return 0
  memory.recheckDueAtMs = runtime.nowMs() + Math.max(pauseMs, network.pollMs)
  return await runAll([() => recheckTransactions(context), () => recheckSettlements(context)])
}

/**
 * Verifies that the service's final transactions are still on chain, until no reorg can reach them. A missing one is monitored
 * again: it is broadcast until it is mined, or until its nonce is known to be taken.
 * @returns how many were reopened.
 * @throws the first fault, after every transaction was checked.
 */
async function recheckTransactions(context: PayoutContext): Promise<number> {
  const { db, memory, network, sender } = context
  const page = { after: memory.recheckedTo, limit: batchMax }
  const rows = await db.read((tx) => transactionsToRecheck(tx, network.shortName, page))
  // Set before any chain call, so that transactions that cannot be checked do not delay the others.
  memory.recheckedTo = rows.length < batchMax ? undefined : rows.at(-1)
  if (rows.length === 0) return 0
  const head = await sender.head()
  const counts = new Map<string, number>()
  return await runAll(
    rows.map((row) => async () => {
      // A lagging node has not seen the block, so its answer proves nothing.
      if (head.number - row.block + 1 < network.confirmations) return 0
      const count = counts.get(row.sender) ?? (await sender.nonce(row.sender, 'latest'))
      counts.set(row.sender, count)
      return await recheckTransaction(context, row, { count, head })
    }),
  )
}

/**
 * @param count - The sender's nonce on chain.
 * @returns 1 if the transaction was reopened.
 */
async function recheckTransaction(
  context: PayoutContext,
  row: Rechecked,
  { count, head }: { count: number; head: Head },
): Promise<number> {
  const isPastReorgs = head.number - row.block >= (context.network.finalityBlocks ?? 0)
  if (row.nonce < count && !isPastReorgs) return 0
  const receipt = row.nonce < count ? await receiptOf(context, row) : undefined
  // In another block it may pay another amount, or nothing.
  if (receipt?.blockNumber !== row.block) return await reopen(context, row)
  await context.db.write((tx) => clearRecheck(tx, row.id))
  return 0
}

const receiptOf = async ({ sender }: PayoutContext, { txId, raw }: Rechecked) =>
  await sender.receipt(txId as Hex, parseRawTransaction(raw as Hex).to)

async function reopen({ db, network, log }: PayoutContext, { sender, nonce, txId }: Rechecked): Promise<number> {
  if (!(await db.write((tx) => reopenNonce(tx, network.shortName, sender, nonce)))) return 0
  const message = 'A reorg undid a final transaction; sending it again'
  log.warn({ network: network.shortName, txId, nonce }, message)
  return 1
}
