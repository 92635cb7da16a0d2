import type { Hex } from 'viem'
import { faultText } from '../../../core/fault-text.ts'
import type { Tx } from '../../../db/db.ts'
import { isFaultOfAll, writeEach } from '../../../db/write-each.ts'
import { finalizeAuthorization, requeueAuthorization } from '../../../payment/store/authorization-store.ts'
import { finalizeOutgoing, noteFinalBlock, type Outgoing, openTransactions } from '../../../payout/outgoing-store.ts'
import type { Monitored } from '../../../payout/payout-chain.ts'
import { finalizePayouts, type PayoutResult } from '../../../payout/payout-finalize.ts'
import { type OutgoingPayout, outgoingPayouts } from '../../../payout/payout-queue-store.ts'
import { attemptsMax, rebroadcastAfterMs, replaceAfterMs } from '../../../payout/payout-retry.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import type { Head, SettleReceipt } from '../send/evm-sender.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import { fillGap, replace } from './nonce.ts'
import { parkShare } from './parked-shares.ts'
import { contextOf, isReorgPossible, type PayoutContext } from './payout-context.ts'
import { broadcast } from './sign-and-store.ts'

/** Maximum pending transactions per account: nodes hold at least 16, and each carries a batch. */
export const openMax = 16

/**
 * Maximum final transactions that too few nodes confirm and that hold up no others. A stranger can add one by having a payment by
 * signature revert.
 */
export const unprovenMax = 64

/** Retry delay of a transaction that too few nodes confirm. */
const proofRetryMs = 15_000

/**
 * A transaction is abandoned when its nonce is used and no node has returned its receipt for this long: a lagging node, or one
 * machine of a cluster, may lack it for a while.
 */
export const giveUpAfterMs = 5 * 60 * 1_000

/** Finalizes, rebroadcasts or replaces every transaction that is not final. */
export async function monitorOpen(context: PayoutContext, signal: AbortSignal): Promise<Monitored<Head>> {
  const { db, sender, network, log, account: operator, formers, memory } = context
  const head = await sender.head()
  // Rows for the operator, each former operator, and one account whose key was removed.
  const rowsMax = (openMax + unprovenMax) * attemptsMax * (2 + formers.size)
  const open = await db.read((tx) => openTransactions(tx, network.shortName, rowsMax))
  const minedCounts = new Map<Hex, number>()
  for (const { sender: account } of open) {
    if (!minedCounts.has(account)) minedCounts.set(account, await sender.nonce(account, 'latest'))
  }
  let done = 0
  let fault: unknown
  for (const outgoing of open) {
    if (signal.aborted) break
    const minedCount = minedCounts.get(outgoing.sender) ?? 0
    try {
      const isMined = outgoing.nonce < minedCount
      done += isMined
        ? await finalizeWhenFinal(context, outgoing, head)
        : await keepAlive(context, outgoing, head, minedCount)
    } catch (error) {
      log.warn(
        { network: network.shortName, transactionId: outgoing.id, fault: faultText(error) },
        'Monitoring a transaction failed; retrying',
      )
      fault ??= error
    }
  }
  for (const [account, minedCount] of minedCounts) {
    const own = contextOf(context, account)
    const next = open.find((outgoing) => outgoing.sender === account && outgoing.nonce >= minedCount)
    if (own && next) done += await fillGap(own, next, head, minedCount)
  }
  for (const id of memory.unproven.keys()) if (!open.some((outgoing) => outgoing.id === id)) memory.unproven.delete(id)
  // Stuck transactions of a former operator do not block the current one.
  const own = open.filter((outgoing) => outgoing.sender === operator).map(({ id }) => id)
  return { done, open: countPending(own, context), fault, head }
}

/** The pending transactions of an account that hold up its next one. */
export function countPending(ids: readonly string[], { memory }: Pick<PayoutContext, 'memory'>): number {
  const unproven = ids.filter((id) => memory.unproven.has(id)).length
  return ids.length - Math.min(unproven, unprovenMax)
}

/** The nonce is used, possibly by a replaced version mined before its replacement: check every version. */
async function finalizeWhenFinal(context: PayoutContext, outgoing: Outgoing, head: Head): Promise<number> {
  const { sender, network, runtime, memory } = context
  if (runtime.nowMs() < (memory.unproven.get(outgoing.id) ?? 0)) return 0
  memory.unproven.delete(outgoing.id)
  const { to } = parseRawTransaction(outgoing.newest.raw)
  for (const { txId } of [outgoing.newest, ...outgoing.replaced]) {
    const receipt = await sender.receipt(txId, to)
    if (receipt === undefined) continue
    memory.missingSinceMs.delete(outgoing.id)
    const confirmations = head.number - receipt.blockNumber + 1
    if (confirmations < network.confirmations || !(await sender.isCanonical(receipt))) return 0
    if (!(await isBelieved(context, outgoing, receipt, to))) {
      memory.unproven.set(outgoing.id, runtime.nowMs() + proofRetryMs)
      return 0
    }
    return await finalizeMined(context, outgoing, receipt)
  }
  const block = balancesBlock(head.number, network.confirmations)
  const count = await sender.nonce(outgoing.sender, block)
  return count > outgoing.nonce ? await giveUp(context, outgoing, block) : 0
}

/**
 * Whether a receipt is proven. One node's word is enough for a success, unless it carries a high-value payment. A revert needs
 * two nodes (if configured), because the customer then signs again.
 */
async function isBelieved(context: PayoutContext, { id }: Outgoing, receipt: SettleReceipt, factory: Hex) {
  const { db, sender, network, log } = context
  const payouts = await db.read((tx) => outgoingPayouts(tx, id))
  if (!receipt.isReverted && payouts.every(({ isHighValue }) => !isHighValue)) return true
  if (await sender.isAttested(receipt, factory, network.confirmations)) return true
  log.warn({ network: network.shortName, txId: receipt.txId }, 'Too few RPC nodes confirm the transaction; waiting')
  return false
}

/**
 * A missing receipt alone proves nothing: the transaction is lost once no receipt was found for some time and two nodes (if
 * configured) agree.
 */
async function giveUp(context: PayoutContext, outgoing: Outgoing, block: number): Promise<number> {
  const { sender, runtime, memory } = context
  const { id, nonce, sender: address } = outgoing
  const sinceMs = memory.missingSinceMs.get(id) ?? runtime.nowMs()
  memory.missingSinceMs.set(id, sinceMs)
  if (runtime.nowMs() - sinceMs < giveUpAfterMs) return 0
  const txIds = [outgoing.newest, ...outgoing.replaced].map(({ txId }) => txId)
  if (!(await sender.isReplaced({ address, nonce, block, txIds }))) return 0
  memory.missingSinceMs.delete(id)
  return await finalizeLost(context, outgoing)
}

/** Handles a pending transaction. Only the account's next one is replaced: the others wait for it, not for higher fees. */
async function keepAlive(context: PayoutContext, outgoing: Outgoing, head: Head, minedCount: number): Promise<number> {
  const { newest, replaced } = outgoing
  const nowMs = context.runtime.nowMs()
  const patienceMs = replaceAfterMs(1 + replaced.length)
  const own = contextOf(context, outgoing.sender)
  const isNext = outgoing.nonce === minedCount
  const isStuck = newest.sentAtMs !== null && patienceMs !== undefined && nowMs - newest.createdAtMs >= patienceMs
  if (own && isNext && isStuck && (await replace(own, outgoing, head))) return 1
  if (newest.sentAtMs !== null && nowMs - newest.sentAtMs < rebroadcastAfterMs) return 0
  await broadcast(own ?? context, newest, outgoing.sender)
  return 1
}

/**
 * Applies a final receipt in one commit: counts its payouts and queues failed ones again. If the commit fails, each payout gets
 * its own, so that one payment that cannot be changed does not block the others; the transaction stays open for it.
 * @throws the fault of the common commit.
 */
async function finalizeMined(context: PayoutContext, outgoing: Outgoing, receipt: SettleReceipt): Promise<number> {
  const { db } = context
  const count = async (tx: Tx, only?: OutgoingPayout) => {
    const finalized = await finalizePayouts(context, tx, outgoing.id, (payout) => resultOf(payout, receipt), only)
    for (const { payout } of finalized) await noteParked(context, tx, payout, receipt)
    return finalized
  }
  try {
    const finalized = await db.write(async (tx) => {
      if (!(await finalizeOutgoing(tx, outgoing.id, receipt.txId))) return undefined
      if (isReorgPossible(context)) await noteFinalBlock(tx, receipt.txId, receipt.blockNumber)
      await finalizeAuthorization(tx, outgoing.id, !receipt.isReverted)
      return await count(tx)
    })
    if (finalized === undefined) return 0
    logSweeps(context, receipt, finalized)
    return 1
  } catch (error) {
    const payouts = isFaultOfAll(error) ? [] : await db.read((tx) => outgoingPayouts(tx, outgoing.id))
    if (payouts.length > 1) await writeEach(db, payouts, count)
    throw error
  }
}

async function noteParked(context: PayoutContext, tx: Tx, payout: OutgoingPayout, { settled }: SettleReceipt) {
  const found = payout.kind === 'sweep' ? settled.get(payout.depositAddress.toLowerCase()) : undefined
  if (found?.isPlatformParked) await parkShare(context, tx, payout.paymentId, found.platformAmount)
}

function logSweeps(
  { network, log }: PayoutContext,
  receipt: SettleReceipt,
  finalized: Awaited<ReturnType<typeof finalizePayouts>>,
): void {
  const fields = { network: network.shortName, txId: receipt.txId }
  const sweeps = finalized.map(({ payout }) => payout).filter(({ kind }) => kind === 'sweep')
  for (const { paymentId, depositAddress } of sweeps) {
    const settled = receipt.settled.get(depositAddress.toLowerCase())
    if (settled === undefined) continue
    const { merchantAmount, platformAmount, isPlatformParked } = settled
    log.info(
      { ...fields, paymentId, merchantAmount: String(merchantAmount), platformAmount: String(platformAmount) },
      'A deposit was settled',
    )
    if (isPlatformParked) {
      log.warn({ ...fields, paymentId }, "The platform's wallet rejected its share, which stays at the deposit address")
    }
  }
  for (const { paymentId, depositAddress } of sweeps) {
    if (receipt.settled.has(depositAddress.toLowerCase())) continue
    const { reason } = refusalIn(receipt, depositAddress)
    log.warn({ ...fields, paymentId, reason }, 'A transaction left a deposit unsettled')
  }
}

/** An external transaction has used the nonce: this one can never be mined, so its payouts need a new one. */
async function finalizeLost(context: PayoutContext, outgoing: Outgoing): Promise<number> {
  const { db, network, log } = context
  const isFinalized = await db.write(async (tx) => {
    if (!(await finalizeOutgoing(tx, outgoing.id, undefined))) return false
    await requeueAuthorization(tx, outgoing.id)
    await finalizePayouts(context, tx, outgoing.id, () => ({ result: 'unpaid' }))
    return true
  })
  if (!isFinalized) return 0
  const fields = { network: network.shortName, sender: outgoing.sender, nonce: outgoing.nonce }
  log.warn(fields, 'An external transaction used a nonce of the operator account; its deposits are queued again')
  return 1
}

function resultOf(payout: OutgoingPayout, receipt: SettleReceipt): PayoutResult {
  const { txId, blockNumber: block } = receipt
  if (payout.kind === 'sweep') {
    const settled = receipt.settled.get(payout.depositAddress.toLowerCase())
    if (settled) return { result: 'paid', txId, block, amount: settled.merchantAmount + settled.platformAmount }
    // An externally settled deposit has not failed; the next pass finds its transaction.
    return refusalIn(receipt, payout.depositAddress).isSettled ? { result: 'unpaid' } : { result: 'failed', txId }
  }
  const refunded = receipt.refunds.find(
    ({ forwarder, token, to }) =>
      isSame(forwarder, payout.depositAddress) && isSame(token, payout.token) && isSame(to, payout.sending?.address),
  )
  return refunded ? { result: 'paid', txId, block, amount: refunded.amount } : { result: 'failed', txId }
}

function refusalIn(receipt: SettleReceipt, depositAddress: string) {
  const reason = receipt.isReverted ? 'the transaction reverted' : 'the factory gave no reason'
  return receipt.skipped.get(depositAddress.toLowerCase()) ?? { isSettled: false, reason }
}

const isSame = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase()
