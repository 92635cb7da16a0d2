import type { EvmNetwork } from '../../../core/families.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { WalletPrompt } from '../../connector.ts'
import { loadHeaders } from '../../cursor-store.ts'
import { isFaulty } from '../../watch-fault-store.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { isGivenUp, unreadRanges } from '../watch/second-read-store.ts'

/** Maximum ranges to be read again that are considered; there are few. */
const unreadMax = 1_000

type Deps = {
  db: Db
  network: EvmNetwork
  runtime: Pick<Runtime, 'nowMs'>
  adapter: Pick<EvmAdapter, 'block' | 'receipt' | 'transactionCount'>
}

/**
 * Whether a wallet's transaction can no longer pay. Only blocks that the watcher has read, and does not read again, count: what paid in
 * them is stored. The nonce of the transaction that the wallet sent proves it once it is used: by that transaction, a faster one in its place, or
 * another. Before the wallet has sent, no nonce proves anything: wallets choose it when the person confirms.
 */
export function createPromptCheck({ db, network, adapter, runtime }: Deps) {
  const { shortName, confirmations } = network

  return async function isPromptOver(
    { refundId, account, nonce, deadlineMs, txId, confirmations: required }: WalletPrompt,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { tip, unread, isWaiting } = await db.read(async (tx) => ({
      isWaiting: await isFaulty(tx, shortName, refundId),
      tip: (await loadHeaders(tx, shortName, 1)).at(-1),
      unread: await unreadRanges(tx, shortName, unreadMax),
    }))
    // What was read of the refund and could not be stored may have paid it.
    if (!tip || isWaiting) return false
    const deep = tip.number - (required ?? confirmations) + 1
    const waiting = unread.find((range) => !isGivenUp(range, runtime.nowMs()))
    const readTo = Math.min(deep, (waiting?.from ?? deep + 1) - 1)
    if (deadlineMs !== null && ((await adapter.block(readTo, signal))?.timeMs ?? 0) > deadlineMs) return true
    const receipt = txId === null ? undefined : await adapter.receipt(txId, signal)
    if (receipt) return !receipt.isSuccess && receipt.blockNumber <= deep
    return txId !== null && nonce !== null && (await adapter.transactionCount(account, readTo, signal)) > nonce
  }
}

export function createNonceReader({ adapter }: { adapter: Pick<EvmAdapter, 'signed'> }) {
  return async function nonceOf({ txId, account }: { txId: string; account: string }, signal: AbortSignal) {
    const found = await adapter.signed(txId, signal)
    return found?.from.toLowerCase() === account.toLowerCase() ? found.nonce : null
  }
}
