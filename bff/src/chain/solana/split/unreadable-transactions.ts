import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { isOfSolanaNodes } from '../rpc/solana-rpc.ts'
import type { WatchedSplitAccount } from './split-accounts.ts'
import { unverifiedForMs } from './split-verifications.ts'

/** Unreadable transactions remembered, of all accounts. */
const unreadableMax = 10_000

type Deps = {
  adapter: Pick<SolanaAdapter, 'network' | 'transaction' | 'signatures'>
  tokens: SolanaNetwork['tokens']
  runtime: Pick<Runtime, 'nowMs'>
  log: Log
}

type Account = Pick<WatchedSplitAccount, 'newestFinal' | 'behindSinceMs'>

/** Transactions that the nodes list, but do not return in a readable form. */
export function createUnreadableTransactions({ adapter, tokens, runtime, log }: Deps) {
  /** Since when each is unreadable. */
  const unreadable = new Map<string, number>()
  /** The newest transaction that was returned since the start, or else the last one that was read before. */
  let newest: string | undefined
  let isServing = true

  /** A recent transaction of a configured token, of anyone. Undefined if the nodes list none. */
  async function someTransaction(slot: number, signal: AbortSignal): Promise<string | undefined> {
    const [token] = tokens
    // Infinity ends the list after one page: by a clock that is behind, a busy token would have minutes of pages.
    const listed = token ? await adapter.signatures(token.address, null, slot, signal, Number.POSITIVE_INFINITY) : []
    const others = listed.filter(({ signature }) => !unreadable.has(signature))
    // Of a busy token, the nodes list only the last seconds, of which nothing is final.
    return (others.find(({ isFinal }) => isFinal) ?? others[0])?.signature
  }

  return {
    has: (txId: string): boolean => unreadable.has(txId),
    /** The transaction is read, or failed. `isReturned`: by the nodes, just now. */
    wasRead(txId: string, isReturned: boolean): void {
      unreadable.delete(txId)
      if (!isReturned) return
      newest = txId
      isServing = true
    },
    /**
     * Whether the transaction may soon be readable. Given up after some time, so that it does not keep windows open forever, unless
     * the nodes return no transaction at all.
     */
    isStillUnreadable(account: string, txId: string, error: unknown): boolean {
      const sinceMs = unreadable.get(txId) ?? runtime.nowMs()
      if (!unreadable.has(txId)) {
        const [oldest] = unreadable.keys()
        if (unreadable.size >= unreadableMax && oldest !== undefined) unreadable.delete(oldest)
        unreadable.set(txId, sinceMs)
        log.error({ network: adapter.network, account, txId, err: error }, 'Reading one transaction failed; retrying')
      }
      return !isServing || runtime.nowMs() - sinceMs < unverifiedForMs
    },
    /**
     * If one is unreadable or missing, asks for a transaction that was read before, or for any other if none was.
     * @throws {Error} when no node responds.
     */
    async check(accounts: readonly Account[], slot: number, signal: AbortSignal): Promise<void> {
      if (unreadable.size === 0 && accounts.every(({ behindSinceMs }) => behindSinceMs === null)) return
      try {
        newest ??= accounts.find(({ newestFinal }) => newestFinal !== null)?.newestFinal ?? undefined
        const known = newest ?? (await someTransaction(slot, signal))
        isServing = known !== undefined && (await adapter.transaction(known, 'confirmed', signal)) !== undefined
      } catch (error) {
        if (signal.aborted || isOfSolanaNodes(error)) throw error
        isServing = false
      }
    },
    /** False while the nodes return no transaction, not even one that they returned before or list for a token. */
    isServing: (): boolean => isServing,
  }
}
