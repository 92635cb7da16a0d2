import type { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { readTokenAccount, type TokenAccount } from '../associated-token-account.ts'
import { type Commitment, responses, type SolanaRpc } from './solana-rpc.ts'
import {
  isSameTransaction,
  readTransaction,
  type SolanaTransaction,
  transactionResponse,
} from './solana-transaction.ts'

/** Accounts per `getMultipleAccounts`. */
const accountsPerCall = 100

/**
 * Accepts all transaction versions: only balances before and after are read, and a node refuses a transaction of a higher
 * version. `readTransaction` rejects unexpected formats.
 */
const versionMax = 255

/** Signatures per `getSignatureStatuses`. */
const statusesPerCall = 256

/** Signatures per `getSignaturesForAddress`, newest first. */
const signaturesPerCall = 1_000

/**
 * Maximum calls per listing: the transactions of a day of downtime at two per second. Sending that much dust costs more than
 * reading it.
 */
const listingsMax = 200

/** A node's newest confirmed or finalized slot, and its time. */
export type SolanaHead = { slot: number; timeMs: number }

/** A node's status of a transaction. Undefined: the node knows it neither in memory nor in its history. */
export type TransactionStatus = { slot: number; isFailed: boolean; isFinal: boolean } | undefined

/** An on-chain account. `token`: set for a token account. `owner`: the program that owns the account. */
export type AccountState = { lamports: bigint; owner: string; token: TokenAccount | undefined }

/** `lastValidBlockHeight`: the last block that can contain a transaction with this blockhash. */
export type RecentBlockhash = { blockhash: string; lastValidBlockHeight: number }

/** A transaction of an account. `isFinal`: no fork can undo it. `timeMs`: null while the block has no timestamp. */
export type ListedSignature = {
  signature: string
  slot: number
  timeMs: number | null
  isFailed: boolean
  isFinal: boolean
}

/**
 * Solana reads for deposits, wallet payments and payouts. Every call may throw when no node responds. `slot`: only a node that
 * has reached that slot may respond.
 */
export type SolanaAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<SolanaHead>
  /** The newest slot that no fork can replace. */
  finalHead(signal: AbortSignal): Promise<SolanaHead>
  /** The newest slot with a block, which has no votes yet. */
  newestSlot(signal: AbortSignal): Promise<number>
  recentBlockhash(signal: AbortSignal): Promise<RecentBlockhash>
  /** In the order of `addresses`; undefined where no account exists. One call per hundred. */
  accounts(
    addresses: readonly string[],
    slot: number | undefined,
    signal: AbortSignal,
  ): Promise<(AccountState | undefined)[]>
  /** In the order of `accounts`; undefined where no token account exists. One call per hundred. */
  tokenAccounts(
    accounts: readonly string[],
    slot: number | undefined,
    signal: AbortSignal,
  ): Promise<(TokenAccount | undefined)[]>
  /**
   * The account's confirmed transactions newer than `after` (null: all), oldest first. With `sinceMs`, some older transactions
   * may be omitted.
   */
  signatures(
    account: string,
    after: string | null,
    slot: number,
    signal: AbortSignal,
    sinceMs?: number,
  ): Promise<ListedSignature[]>
  /** Undefined if the node lacks the transaction at that commitment. */
  transaction(txId: string, at: Commitment, signal: AbortSignal): Promise<SolanaTransaction | undefined>
  /** Whether nodes of two hosts (if configured) have finalized a later slot and lack the transaction that was seen in this slot. */
  isGone(txId: string, slot: number, signal: AbortSignal): Promise<boolean>
  /** Whether nodes of two hosts (if configured) report the same about the final transaction. */
  isAttested(transaction: SolanaTransaction, signal: AbortSignal): Promise<boolean>
  /** In the order of `txIds`. */
  statuses(txIds: readonly string[], signal: AbortSignal): Promise<TransactionStatus[]>
}

export function createSolanaAdapter(network: SolanaNetwork, rpc: SolanaRpc, log: Log): SolanaAdapter {
  const name = network.shortName
  const query = (txId: string, commitment: Commitment) => ({
    schema: transactionResponse,
    method: 'getTransaction',
    params: [txId, { commitment, encoding: 'json', maxSupportedTransactionVersion: versionMax }],
  })

  async function listSignatures(
    account: string,
    options: { commitment: Commitment; until?: string; before?: string; minContextSlot?: number | undefined },
    signal: AbortSignal,
  ): Promise<ListedSignature[]> {
    const params = [account, { limit: signaturesPerCall, ...options }]
    const listed = await rpc.ask(responses.signatures, 'getSignaturesForAddress', params, signal)
    return listed.map(({ signature, slot, err, confirmationStatus, blockTime }) => ({
      signature,
      slot,
      timeMs: typeof blockTime === 'number' ? blockTime * 1_000 : null,
      isFailed: err !== null,
      isFinal: confirmationStatus === 'finalized',
    }))
  }

  async function accounts(
    addresses: readonly string[],
    slot: number | undefined,
    signal: AbortSignal,
  ): Promise<(AccountState | undefined)[]> {
    const found: (AccountState | undefined)[] = []
    const options = { commitment: 'confirmed', encoding: 'base64', minContextSlot: slot }
    for (const batch of batches(addresses, accountsPerCall)) {
      const { value } = await rpc.ask(responses.accounts, 'getMultipleAccounts', [batch, options], signal)
      if (value.length !== batch.length) throw new Error(`${name}: a node omitted accounts`)
      for (const account of value) {
        found.push(
          account === null
            ? undefined
            : { lamports: BigInt(account.lamports), owner: account.owner, token: readTokenAccount(account) },
        )
      }
    }
    return found
  }

  async function newestAt(commitment: Commitment, signal: AbortSignal): Promise<SolanaHead> {
    return await rpc.onOneNode(async (ask) => {
      const slot = await ask(responses.slot, 'getSlot', [{ commitment }])
      const seconds = await ask(responses.blockTime, 'getBlockTime', [slot])
      if (seconds === null) throw new Error(`${name}: the node has no time of slot ${slot} yet`)
      return { slot, timeMs: seconds * 1_000 }
    }, signal)
  }

  return {
    network: name,
    head: (signal) => newestAt('confirmed', signal),
    finalHead: (signal) => newestAt('finalized', signal),
    newestSlot: (signal) => rpc.ask(responses.slot, 'getSlot', [{ commitment: 'processed' }], signal),
    async recentBlockhash(signal) {
      const params = [{ commitment: 'confirmed' }]
      return (await rpc.ask(responses.latestBlockhash, 'getLatestBlockhash', params, signal)).value
    },
    accounts,
    async tokenAccounts(addresses, slot, signal) {
      return (await accounts(addresses, slot, signal)).map((account) => account?.token)
    },
    async signatures(account, after, slot, signal, sinceMs = 0) {
      const newestFirst: ListedSignature[] = []
      for (let calls = 0; calls < listingsMax; calls++) {
        const before = newestFirst.at(-1)?.signature
        const range = { ...(after !== null && { until: after }), ...(before !== undefined && { before }) }
        const page = await listSignatures(account, { ...range, commitment: 'confirmed', minContextSlot: slot }, signal)
        newestFirst.push(...page)
        const oldestMs = page.at(-1)?.timeMs ?? null
        const isOlder = oldestMs !== null && oldestMs < sinceMs
        if (isOlder || page.length < signaturesPerCall) return newestFirst.reverse()
      }
      log.error({ network: name, account }, 'An account has too many transactions; older ones are skipped')
      return newestFirst.reverse()
    },
    async transaction(txId, commitment, signal) {
      const { schema, method, params } = query(txId, commitment)
      const response = await rpc.ask(schema, method, params, signal)
      if (response === null) return undefined
      const transaction = readTransaction(txId, response)
      if (transaction.timeMs !== null) return transaction
      const seconds = await rpc.ask(responses.blockTime, 'getBlockTime', [transaction.slot], signal)
      return { ...transaction, timeMs: seconds === null ? null : seconds * 1_000 }
    },
    async isGone(txId, slot, signal) {
      const { schema, method, params } = query(txId, 'confirmed')
      return await rpc.isAttestedBy(async (ask) => {
        const final = await ask(responses.slot, 'getSlot', [{ commitment: 'finalized' }])
        return final > slot && (await ask(schema, method, params)) === null
      }, signal)
    },
    async isAttested(transaction, signal) {
      const isSame = (response: z.infer<typeof transactionResponse>) => {
        if (response === null) return false
        const reported = readTransaction(transaction.signature, response)
        return isSameTransaction({ ...reported, timeMs: reported.timeMs ?? transaction.timeMs }, transaction)
      }
      return await rpc.isAttested(query(transaction.signature, 'finalized'), isSame, signal)
    },
    async statuses(txIds, signal) {
      const found: TransactionStatus[] = []
      for (const batch of batches(txIds, statusesPerCall)) {
        const options = { searchTransactionHistory: true }
        const { value } = await rpc.ask(responses.statuses, 'getSignatureStatuses', [batch, options], signal)
        if (value.length !== batch.length) throw new Error(`${name}: a node omitted statuses`)
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
