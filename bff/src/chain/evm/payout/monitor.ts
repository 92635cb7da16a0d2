import type { Hex } from 'viem'
import { type Outgoing, openTransactions } from '../../../payout/outgoing-store.ts'
import type { Monitored } from '../../../payout/payout-chain.ts'
import { attemptsMax, rebroadcastAfterMs, replaceAfterMs } from '../../../payout/payout-retry.ts'
import { faultText } from '../../fault-text.ts'
import type { Head } from './evm-sender.ts'
import { parseRawTransaction } from './evm-transaction.ts'
import { finalizeLost, finalizeMined } from './finalize.ts'
import { fillGap, replace } from './nonce.ts'
import type { PayoutContext } from './payout-context.ts'
import { broadcast } from './sign-and-store.ts'

/** Transactions under way at once: a node holds at least 16 of one account, and each carries a batch. */
export const openMax = 16

/** Finalizes, broadcasts again or replaces every transaction that is not final. */
export async function monitorOpen(context: PayoutContext, signal: AbortSignal): Promise<Monitored<Head>> {
  const { db, sender, network, log } = context
  const head = await sender.head()
  const open = await db.read((tx) => openTransactions(tx, network.shortName, openMax * attemptsMax))
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
        'A transaction could not be monitored',
      )
      fault ??= error
    }
  }
  const next = open.find(
    (outgoing) => outgoing.sender === context.account && outgoing.nonce >= (minedCounts.get(outgoing.sender) ?? 0),
  )
  if (next) done += await fillGap(context, next, head, minedCounts.get(next.sender) ?? 0)
  return { done, open: open.length, fault, head }
}

/** The nonce is used, maybe by an older hash of ours that was faster than its replacement: each of them counts. */
async function finalizeWhenFinal(context: PayoutContext, outgoing: Outgoing, head: Head): Promise<number> {
  const { sender, network } = context
  const { to } = parseRawTransaction(outgoing.newest.raw)
  for (const { txId } of [outgoing.newest, ...outgoing.replaced]) {
    const receipt = await sender.receipt(txId, to)
    if (receipt === undefined) continue
    const confirmations = head.number - receipt.blockNumber + 1
    if (confirmations < network.confirmations || !(await sender.isCanonical(receipt))) return 0
    return await finalizeMined(context, outgoing, receipt)
  }
  const finalBlock = Math.max(0, head.number - network.confirmations + 1)
  const finalCount = await sender.nonce(outgoing.sender, finalBlock)
  return finalCount > outgoing.nonce ? await finalizeLost(context, outgoing) : 0
}

/** A transaction in no block. Only the next of its account is replaced: the others wait for that one, not for higher fees. */
async function keepAlive(context: PayoutContext, outgoing: Outgoing, head: Head, minedCount: number): Promise<number> {
  const { newest, replaced } = outgoing
  const nowMs = context.runtime.nowMs()
  const patienceMs = replaceAfterMs(1 + replaced.length)
  const isNext = outgoing.nonce === minedCount && outgoing.sender === context.account
  const isStuck = newest.sentAtMs !== null && patienceMs !== undefined && nowMs - newest.createdAtMs >= patienceMs
  if (isNext && isStuck && (await replace(context, outgoing, head))) return 1
  if (newest.sentAtMs !== null && nowMs - newest.sentAtMs < rebroadcastAfterMs) return 0
  await broadcast(context, newest)
  return 1
}
