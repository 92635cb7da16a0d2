import type { EvmNetwork } from '../../../core/families.ts'
import type { Db } from '../../../db/db.ts'
import type { WalletPrompt } from '../../connector.ts'
import { loadHeaders } from '../../cursor-store.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'

type Deps = {
  db: Db
  network: EvmNetwork
  adapter: Pick<EvmAdapter, 'block' | 'receipt' | 'transactionCount'>
}

/**
 * Whether a wallet's transaction can no longer pay. Only blocks that the watcher has read count: what paid in them is
 * stored. A nonce that was used proves it whatever the wallet sent: the transaction, a faster one in its place, or none.
 */
export function createPromptCheck({ db, network, adapter }: Deps) {
  const { shortName, confirmations } = network

  return async function isPromptOver(
    { account, nonce, deadlineMs, txId }: WalletPrompt,
    signal: AbortSignal,
  ): Promise<boolean> {
    const [tip] = await db.read((tx) => loadHeaders(tx, shortName, 1))
    if (!tip) return false
    const deep = tip.number - confirmations + 1
    if (deadlineMs !== null && ((await adapter.block(deep, signal))?.timeMs ?? 0) > deadlineMs) return true
    const receipt = txId === null ? undefined : await adapter.receipt(txId, signal)
    if (receipt) return !receipt.isSuccess && receipt.blockNumber <= deep
    return nonce !== null && (await adapter.transactionCount(account, deep, signal)) > nonce
  }
}
