import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'

type Chain = Pick<SolanaAdapter, 'signatures' | 'newestSignatures' | 'transaction'>

/**
 * The transactions of a token account that are younger than `after`, oldest first.
 * @param after - A signature, or null: all. Undefined: only the newest final one and those that are not final.
 */
export async function listAfter(
  chain: Chain,
  account: string,
  after: string | null | undefined,
  slot: number,
  signal: AbortSignal,
): Promise<ListedSignature[]> {
  if (after !== undefined) return await chain.signatures(account, after, slot, signal)
  const newestFirst = await chain.newestSignatures(account, 'confirmed', slot, signal)
  const newestFinal = newestFirst.findIndex(({ isFinal }) => isFinal)
  return (newestFinal === -1 ? newestFirst : newestFirst.slice(0, newestFinal + 1)).reverse()
}

type Reader = {
  /** Whether the transaction was read in the same slot before. */
  isRead?: (listed: ListedSignature) => boolean
  /** @param transaction - Undefined where it failed, or was read before. */
  onTransaction: (listed: ListedSignature, transaction: SolanaTransaction | undefined) => Promise<void> | void
}

/**
 * Reads listed transactions of a token account one by one.
 * @returns false at the first transaction that the node lists and does not have: a fork took it away, or the node lags. That
 * one and the ones behind it are to be read again.
 */
export async function readListed(
  chain: Chain,
  listed: readonly ListedSignature[],
  { isRead, onTransaction }: Reader,
  signal: AbortSignal,
): Promise<boolean> {
  for (const one of listed) {
    const isWanted = !one.isFailed && !isRead?.(one)
    const transaction = isWanted ? await chain.transaction(one.signature, 'confirmed', signal) : undefined
    if (isWanted && transaction === undefined) return false
    await onTransaction(one, transaction)
  }
  return true
}
