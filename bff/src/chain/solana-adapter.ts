import type { Transfer } from '../payment/event.ts'
import type { SolanaNetwork } from './networks.ts'
import type { PoolDeps } from './rpc-pool.ts'
import { answers, type Commitment, createSolanaRpc } from './solana-rpc.ts'
import { readTokenAccount, type TokenAccount } from './solana-token-account.ts'
import { creditOf, type Target, transactionAnswer } from './solana-transaction.ts'

/** Accounts of one `getMultipleAccounts`. */
const accountsPerCall = 100

/** Signatures of one `getSignatureStatuses`. */
const statusesPerCall = 256

/** Signatures of one `getSignaturesForAddress`, which lists the newest first. */
const signaturesPerCall = 1_000

/** Calls of one listing: whoever sends an account more dust than this pays more for it than it costs us. */
const listingsMax = 20

/** Newest slot that the node calls confirmed, and its time. */
export type SolanaHead = { slot: number; timeMs: number }

/** What a node knows of a transaction. Undefined: nothing, neither in memory nor in its history. */
export type TransactionStatus = { slot: number; isFailed: boolean; isFinal: boolean } | undefined

/** A transaction that names an account. */
type ListedSignature = { signature: string; isFailed: boolean }

/** What the watcher asks of Solana. Every call may throw when no node answers. */
export type SolanaAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<SolanaHead>
  /** The accounts as of `slot` or later, in their order; undefined where there is none. One call for each hundred. */
  tokenAccounts(accounts: readonly string[], slot: number, signal: AbortSignal): Promise<(TokenAccount | undefined)[]>
  /** Transactions that name the account, younger than `after` (null: all), oldest first. */
  signatures(account: string, after: string | null, signal: AbortSignal): Promise<ListedSignature[]>
  /**
   * What the transaction brought to the account; undefined when it brought nothing that counts.
   * @returns 'unknown' when the node does not have it at that commitment.
   */
  credit(txId: string, target: Target, at: Commitment, signal: AbortSignal): Promise<Transfer | undefined | 'unknown'>
  /** In the order of `txIds`. */
  statuses(txIds: readonly string[], signal: AbortSignal): Promise<TransactionStatus[]>
}

export function createSolanaAdapter(network: SolanaNetwork, deps: PoolDeps): SolanaAdapter {
  const rpc = createSolanaRpc(network, deps)

  async function timeOf(slot: number, signal: AbortSignal): Promise<number> {
    const seconds = await rpc.ask(answers.blockTime, 'getBlockTime', [slot], signal)
    if (seconds === null) throw new Error(`${network.shortName}: the node has no time of slot ${slot} yet`)
    return seconds * 1_000
  }

  return {
    network: network.shortName,
    async head(signal) {
      const slot = await rpc.ask(answers.slot, 'getSlot', [{ commitment: 'confirmed' }], signal)
      return { slot, timeMs: await timeOf(slot, signal) }
    },
    async tokenAccounts(accounts, slot, signal) {
      const found: (TokenAccount | undefined)[] = []
      for (const batch of batches(accounts, accountsPerCall)) {
        const options = { commitment: 'confirmed', encoding: 'base64', minContextSlot: slot }
        const { value } = await rpc.ask(answers.accounts, 'getMultipleAccounts', [batch, options], signal)
        if (value.length !== batch.length) throw new Error(`${network.shortName}: a node left accounts out`)
        found.push(...value.map((account) => (account === null ? undefined : readTokenAccount(account))))
      }
      return found
    },
    async signatures(account, after, signal) {
      const newestFirst: ListedSignature[] = []
      for (let calls = 0; calls < listingsMax; calls++) {
        const before = newestFirst.at(-1)?.signature
        const options = {
          ...{ commitment: 'confirmed', limit: signaturesPerCall },
          ...(after === null ? {} : { until: after }),
          ...(before === undefined ? {} : { before }),
        }
        const page = await rpc.ask(answers.signatures, 'getSignaturesForAddress', [account, options], signal)
        newestFirst.push(...page.map(({ signature, err }) => ({ signature, isFailed: err !== null })))
        if (page.length < signaturesPerCall) return newestFirst.reverse()
      }
      deps.log.error({ network: network.shortName, account }, 'an account has more transactions than are read')
      return newestFirst.reverse()
    },
    async credit(txId, target, commitment, signal) {
      const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 }
      const transaction = await rpc.ask(transactionAnswer, 'getTransaction', [txId, options], signal)
      if (transaction === null) return 'unknown'
      const credit = creditOf(txId, transaction, target)
      if (credit === undefined) return undefined
      const { blockTime, slot } = transaction
      const blockTimeMs = blockTime === null ? await timeOf(slot, signal) : blockTime * 1_000
      return { ...credit, network: network.shortName, blockTimeMs }
    },
    async statuses(txIds, signal) {
      const found: TransactionStatus[] = []
      for (const batch of batches(txIds, statusesPerCall)) {
        const options = { searchTransactionHistory: true }
        const { value } = await rpc.ask(answers.statuses, 'getSignatureStatuses', [batch, options], signal)
        if (value.length !== batch.length) throw new Error(`${network.shortName}: a node left statuses out`)
        found.push(...value.map(toStatus))
      }
      return found
    },
  }
}

export function toStatus(
  value: { slot: number; err: unknown; confirmationStatus?: string | null | undefined } | null,
): TransactionStatus {
  if (value === null) return undefined
  return { slot: value.slot, isFailed: value.err !== null, isFinal: value.confirmationStatus === 'finalized' }
}

function* batches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
