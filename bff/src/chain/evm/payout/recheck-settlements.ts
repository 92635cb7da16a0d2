import type { Hex } from 'viem'
import { baseUnits } from '../../../core/money.ts'
import { runAll } from '../../../core/run-all.ts'
import type { Tx } from '../../../db/db.ts'
import {
  deleteExternalSettlement,
  type ExternalSettlement,
  externalSettlementsToRecheck,
  saveExternalSettlement,
} from '../../../payout/external-settlement-store.ts'
import type { Head, SettleReceipt } from '../send/evm-sender.ts'
import { isBelieved } from './external-settlement.ts'
import { giveUpAfterMs } from './monitor.ts'
import { parkShare } from './parked-shares.ts'
import type { PayoutContext } from './payout-context.ts'
import { readProvenTerms } from './preflight.ts'

/** Settlements per check; each takes a call. All settlements of a network are checked in turn. */
const batchMax = 50

/** Whether external settlements are due for a check. */
export const hasSettlementRecheck = async ({ network }: Pick<PayoutContext, 'network'>, tx: Tx): Promise<boolean> =>
  (await externalSettlementsToRecheck(tx, network.shortName, { after: '', limit: 1 })).length > 0

/**
 * Verifies that external settlements are still on chain, until no reorg can reach them. If a deposit is no longer settled, its
 * sweep is queued again.
 * @returns how many have changed.
 * @throws the first fault, after every settlement was checked.
 */
export async function recheckSettlements(context: PayoutContext): Promise<number> {
  const { db, memory, network, sender } = context
  const page = { after: memory.settlementAfter, limit: batchMax }
  const rows = await db.read((tx) => externalSettlementsToRecheck(tx, network.shortName, page))
  // Set before any chain call, so that settlements that cannot be checked do not delay the others.
  memory.settlementAfter = rows.length < batchMax ? '' : (rows.at(-1)?.paymentId ?? '')
  if (rows.length === 0) return 0
  const head = await sender.head()
  return await runAll(rows.map((row) => () => recheck(context, row, head)))
}

async function recheck(context: PayoutContext, row: ExternalSettlement, head: Head): Promise<number> {
  const { db, memory, network, runtime, sender } = context
  // A lagging node has not seen the block, so its answer proves nothing.
  if (head.number - row.block + 1 < network.confirmations) return 0
  const terms = readProvenTerms(row, network.chainId)
  const receipt = await sender.receipt(row.txId as Hex, terms.factory)
  const settled = receipt?.settled.get(row.depositAddress.toLowerCase())
  if (receipt !== undefined && settled !== undefined) {
    memory.missingSinceMs.delete(row.paymentId)
    return await noteBlock(context, row, { receipt, settled, head, factory: terms.factory })
  }
  // A missing receipt alone proves nothing: a lagging node, or one of several machines behind one URL, may lack it for a while, and
  // another node may have it.
  const sinceMs = memory.missingSinceMs.get(row.paymentId) ?? runtime.nowMs()
  memory.missingSinceMs.set(row.paymentId, sinceMs)
  if (runtime.nowMs() - sinceMs < giveUpAfterMs) return 0
  const { txId, depositAddress: forwarder, block } = row
  const { factory } = terms
  const { confirmations: required } = network
  if (!(await sender.isUnsettledBy({ txId: txId as Hex, factory, forwarder, block, required }))) return 0
  memory.missingSinceMs.delete(row.paymentId)
  await db.write((tx) => undo(context, tx, row))
  return 1
}

/**
 * The settlement is on chain, possibly in another block, where it may pay another amount, or leave the platform's share at the deposit.
 * Nodes of two hosts (if configured) must show that of a high-value payment.
 */
async function noteBlock(
  context: PayoutContext,
  { paymentId, txId, block, depositAddress }: ExternalSettlement,
  {
    receipt: { blockNumber },
    settled: { merchantAmount, platformAmount, isPlatformParked },
    head,
    factory,
  }: {
    receipt: SettleReceipt
    settled: { merchantAmount: bigint; platformAmount: bigint; isPlatformParked: boolean }
    head: Head
    factory: Hex
  },
): Promise<number> {
  const { db, ledger, network, runtime } = context
  const isSame = blockNumber === block
  if (isSame && head.number - block >= (network.finalityBlocks ?? 0)) {
    await db.write((tx) => deleteExternalSettlement(tx, network.shortName, paymentId))
    return 1
  }
  if (isSame || head.number - blockNumber + 1 < network.confirmations) return 0
  const amount = baseUnits(String(merchantAmount + platformAmount))
  const isShown = (receipt: SettleReceipt) => {
    const own = receipt.settled.get(depositAddress.toLowerCase())
    const isPaid = own !== undefined && own.merchantAmount + own.platformAmount === amount
    return isPaid && own.isPlatformParked === isPlatformParked && receipt.blockNumber === blockNumber
  }
  if (!(await isBelieved(context, paymentId, { txId: txId as Hex, factory, isShown }))) return 0
  await db.write(async (tx) => {
    await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId, amount, atMs: runtime.nowMs() })
    await saveExternalSettlement(tx, network.shortName, { paymentId, txId, block: blockNumber })
    if (isPlatformParked) await parkShare(context, tx, paymentId, platformAmount)
  })
  return 1
}

/** Queues the sweep again; if another transaction has settled the deposit, the sweeper finds it. */
async function undo({ ledger, network, runtime, log }: PayoutContext, tx: Tx, { paymentId, txId }: ExternalSettlement) {
  await ledger.applyIn(tx, paymentId, { type: 'sweep.undone', txIds: [txId], atMs: runtime.nowMs() })
  await deleteExternalSettlement(tx, network.shortName, paymentId)
  const fields = { network: network.shortName, paymentId, txId }
  tx.afterCommit(() => log.warn(fields, 'A reorg undid a final external settlement; sweeping the deposit again'))
}
