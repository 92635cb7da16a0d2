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
 * stored. The nonce of the transaction that the wallet sent proves it once it is used: by that transaction, a faster one in its place, or
 * another. Before the wallet has sent, no nonce proves anything: wallets choose it when the person confirms.
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
    return txId !== null && nonce !== null && (await adapter.transactionCount(account, deep, signal)) > nonce
  }
}

export function createNonceReader({ adapter }: { adapter: Pick<EvmAdapter, 'signed'> }) {
  return async function nonceOf({ txId, account }: { txId: string; account: string }, signal: AbortSignal) {
    const found = await adapter.signed(txId, signal)
    return found?.from.toLowerCase() === account.toLowerCase() ? found.nonce : null
  }
}
