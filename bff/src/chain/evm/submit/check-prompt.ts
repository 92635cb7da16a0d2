import type { EvmNetwork } from '../../../core/families.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import { type WatchedRefund, watchedRefund } from '../../../payment/store/merchant-refund-store.ts'
import { transfersIn } from '../../../payment/store/transfer-store.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import type { SentByWallet, WalletPrompt } from '../../connector.ts'
import { loadHeaders } from '../../cursor-store.ts'
import { addressTopic } from '../../event-topic.ts'
import { isFaulty } from '../../watch-fault-store.ts'
import { newestBlockBefore } from '../rpc/block-time.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { searchLogs } from '../send/search-logs.ts'
import { isGivenUp, unreadRanges } from '../watch/second-read-store.ts'

/** Maximum ranges waiting to be read again; there are few. */
const unreadMax = 1_000

/** Maximum difference between this host's clock and the chain's. */
const clockSkewMs = 15 * 60 * 1000

type Deps = {
  db: Db
  network: EvmNetwork
  runtime: Pick<Runtime, 'nowMs'>
  adapter: Reads & Pick<EvmAdapter, 'isProven'>
}

type Reads = Pick<EvmAdapter, 'block' | 'receipt' | 'transactionCount' | 'loggedTransfers'>

/**
 * Whether a wallet's transaction can no longer pay. Only blocks that the watcher has read and will not read again count: what
 * paid in them is stored. Once used, the nonce of the transaction that the wallet sent proves it, whether that transaction, a
 * faster replacement or another one used it. Before the wallet has sent, no nonce proves anything: wallets choose it on
 * confirmation. For a high-value refund, nodes of two hosts (if configured) must prove it, because the merchant is then asked to
 * pay again; each must also show that no unknown transfer has paid it, because the watcher reads logs from one node.
 */
export function createPromptCheck({ db, network, adapter, runtime }: Deps) {
  const { shortName, confirmations } = network

  return async function isPromptOver(
    { refundId, account, nonce, deadlineMs, txId, askedAtMs, confirmations: required }: WalletPrompt,
    signal: AbortSignal,
  ): Promise<boolean> {
    // Reads in the order in which the watcher writes: on PostgreSQL, each statement sees what was committed before it.
    const { tip, unread, isWaiting } = await db.read(async (tx) => ({
      tip: (await loadHeaders(tx, shortName, 1)).at(-1),
      unread: await unreadRanges(tx, shortName, unreadMax),
      isWaiting: await isFaulty(tx, shortName, refundId),
    }))
    // A transfer of the refund that could not be stored may have paid it.
    if (!tip || isWaiting) return false
    const deep = tip.number - (required ?? confirmations) + 1
    const waiting = unread.find((range) => !isGivenUp(range, runtime.nowMs()))
    const readTo = Math.min(deep, (waiting?.from ?? deep + 1) - 1)

    async function isUsedUp(reads: Reads): Promise<boolean> {
      if (deadlineMs !== null && ((await reads.block(readTo, signal))?.timeMs ?? 0) > deadlineMs) return true
      const receipt = txId === null ? undefined : await reads.receipt(txId, signal)
      if (receipt) return !receipt.isSuccess && receipt.blockNumber <= deep
      return txId !== null && nonce !== null && (await reads.transactionCount(account, readTo, signal)) > nonce
    }

    if (required === null) return await isUsedUp(adapter)
    const refund = await db.read((tx) => watchedRefund(tx, refundId))
    if (!refund) return false
    const isPaid = async (reads: Reads) =>
      await hasUnknown(reads, refund, { account, sinceMs: askedAtMs - clockSkewMs, to: readTo }, signal)
    return await adapter.isProven(async (reads) => (await isUsedUp(reads)) && !(await isPaid(reads)), signal)
  }

  /** Whether the node shows a transfer that may pay the refund and that the watcher has not stored. */
  async function hasUnknown(
    reads: Reads,
    { address, token, splitter, termsHash }: WatchedRefund,
    { account, sinceMs, to }: { account: string; sinceMs: number; to: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    const from = (await newestBlockBefore(reads, sinceMs, to, signal)) + 1
    const sources = splitter === null ? [token] : [token, splitter]
    const few = termsHash === null ? [addressTopic(address)] : [addressTopic(address), termsHash]
    const mayPay = ({ topic, payer }: SeenTransfer) =>
      topic.toLowerCase() === termsHash || payer.toLowerCase() === account.toLowerCase()
    async function readRange(from: number, to: number): Promise<string | undefined> {
      for (const transfer of await reads.loggedTransfers({ from, to, sources, few }, signal)) {
        const { txId } = transfer
        if (mayPay(transfer) && (await db.read((tx) => transfersIn(tx, shortName, txId))).length === 0) return txId
      }
      return undefined
    }
    for (let next = from; next <= to; ) {
      signal.throwIfAborted()
      const search = await searchLogs({ from: next, to }, readRange)
      if (search.found !== undefined) return true
      next = search.next
    }
    return false
  }
}

/**
 * For a high-value refund, two nodes must report the same nonce of a pending transaction: too low a nonce would end the prompt
 * before it pays.
 */
export function createNonceReader({ adapter }: { adapter: Pick<EvmAdapter, 'signed' | 'isProven'> }) {
  return async function nonceOf({ txId, account, isHighValue }: SentByWallet, signal: AbortSignal) {
    const read = async (reads: Pick<EvmAdapter, 'signed'>) => {
      const found = await reads.signed(txId, signal)
      return found?.from.toLowerCase() === account.toLowerCase() ? found.nonce : null
    }
    const nonce = await read(adapter)
    if (nonce === null || !isHighValue) return nonce
    return (await adapter.isProven(async (reads) => (await read(reads)) === nonce, signal)) ? nonce : null
  }
}
