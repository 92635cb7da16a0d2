import type { Hex } from 'viem'
import type { Tx } from '../../../db/db.ts'
import { clearRecheck, type Rechecked, reopenNonce, transactionsToRecheck } from '../../../payout/outgoing-store.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import type { PayoutContext } from './payout-context.ts'

/** Transactions of one check; all that a network sends until its blocks are final for good are checked in turn. */
const batchMax = 50

/** Between two checks: a reorg is waited out by the watcher too, and a payout that is sent again some seconds later is not late. */
const pauseMs = 15_000

type Context = Pick<PayoutContext, 'memory' | 'network' | 'runtime'>

const isDue = ({ memory, runtime }: Context): boolean => runtime.nowMs() >= memory.recheckDueAtMs

/** Whether transactions that were final are to be checked now. */
export const hasRecheck = async (context: Context, tx: Tx): Promise<boolean> =>
  isDue(context) && (await transactionsToRecheck(tx, context.network.shortName, 1)).length > 0

/**
 * Verifies that what was final is still in the chain, until no reorg can be deep enough to take it back. A transaction that is not is
 * monitored again: it is broadcast until it is in a block, or until its nonce is known to be another's.
 * @returns how many are opened again.
 */
export async function recheckFinal(context: PayoutContext): Promise<number> {
  const { db, memory, network, runtime, sender } = context
  if (!isDue(context)) return 0
  memory.recheckDueAtMs = runtime.nowMs() + Math.max(pauseMs, network.pollMs)
  const rows = await db.read((tx) => transactionsToRecheck(tx, network.shortName, batchMax))
  if (rows.length === 0) return 0
  const head = await sender.head()
  const counts = new Map<string, number>()
  let reopened = 0
  for (const row of rows) {
    // A node that is behind has not seen the block yet, and says nothing of it.
    if (head.number - row.block + 1 < network.confirmations) continue
    const count = counts.get(row.sender) ?? (await sender.nonce(row.sender, 'latest'))
    counts.set(row.sender, count)
    const isPastReorgs = head.number - row.block >= (network.finalityBlocks ?? 0)
    if (row.nonce < count && !isPastReorgs) continue
    const receipt = row.nonce < count ? await receiptOf(context, row) : undefined
    // What it pays in another block may be another amount, or nothing.
    if (receipt?.blockNumber !== row.block) reopened += await reopen(context, row)
    else await db.write((tx) => clearRecheck(tx, row.id))
  }
  return reopened
}

const receiptOf = async ({ sender }: PayoutContext, { txId, raw }: Rechecked) =>
  await sender.receipt(txId as Hex, parseRawTransaction(raw as Hex).to)

async function reopen({ db, network, log }: PayoutContext, { sender, nonce, txId }: Rechecked): Promise<number> {
  if (!(await db.write((tx) => reopenNonce(tx, network.shortName, sender, nonce)))) return 0
  const message = 'A reorg took back a transaction that was final: it is sent again'
  log.warn({ network: network.shortName, txId, nonce }, message)
  return 1
}
