import type { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import { readTokenAccount, type TokenAccount } from '../associated-token-account.ts'
import { answers, type Commitment, type SolanaRpc } from './solana-rpc.ts'
import { isSameTransaction, readTransaction, type SolanaTransaction, transactionAnswer } from './solana-transaction.ts'

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

/** A transaction that names an account. `isFinal`: no fork can take it back any more. */
export type ListedSignature = { signature: string; slot: number; isFailed: boolean; isFinal: boolean }

/**
 * What is read of Solana, for deposits and for wallet payments. Every call may throw when no node answers. `slot`: only a node
 * that has come to it may answer.
 */
export type SolanaAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<SolanaHead>
  /** The newest slot that any block is in, which nothing has voted for yet. */
  newestSlot(signal: AbortSignal): Promise<number>
  recentBlockhash(signal: AbortSignal): Promise<string>
  /** The accounts in their order; undefined where there is no token account. One call for each hundred. */
  tokenAccounts(
    accounts: readonly string[],
    slot: number | undefined,
    signal: AbortSignal,
  ): Promise<(TokenAccount | undefined)[]>
  /** Transactions that name the account, younger than `after` (null: all), oldest first. */
  signatures(account: string, after: string | null, slot: number, signal: AbortSignal): Promise<ListedSignature[]>
  /** The newest of them, at most a thousand, newest first. */
  newestSignatures(account: string, slot: number, signal: AbortSignal): Promise<ListedSignature[]>
  /** Undefined when the node does not have it at that commitment; its time is null while the node does not know it. */
  transaction(txId: string, at: Commitment, signal: AbortSignal): Promise<SolanaTransaction | undefined>
  /** Whether one node has gone past the slot for good, and does not have the transaction that was seen in it. */
  isGone(txId: string, slot: number, signal: AbortSignal): Promise<boolean>
  /** Whether nodes of two hosts, where so many are configured, have the final transaction and say the same of it. */
  isAttested(transaction: SolanaTransaction, signal: AbortSignal): Promise<boolean>
  /** In the order of `txIds`. */
  statuses(txIds: readonly string[], signal: AbortSignal): Promise<TransactionStatus[]>
}

export function createSolanaAdapter(network: SolanaNetwork, rpc: SolanaRpc, log: Log): SolanaAdapter {
  const name = network.shortName
  const query = (txId: string, commitment: Commitment) => ({
    ...{ schema: transactionAnswer, method: 'getTransaction' },
    params: [txId, { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 }],
  })

  async function listSignatures(account: string, options: object, signal: AbortSignal): Promise<ListedSignature[]> {
    const params = [account, { commitment: 'confirmed', limit: signaturesPerCall, ...options }]
    const listed = await rpc.ask(answers.signatures, 'getSignaturesForAddress', params, signal)
    return listed.map(({ signature, slot, err, confirmationStatus }) => ({
      ...{ signature, slot, isFailed: err !== null, isFinal: confirmationStatus === 'finalized' },
    }))
  }

  return {
    network: name,
    async head(signal) {
      return await rpc.together(async (ask) => {
        const slot = await ask(answers.slot, 'getSlot', [{ commitment: 'confirmed' }])
        const seconds = await ask(answers.blockTime, 'getBlockTime', [slot])
        if (seconds === null) throw new Error(`${name}: the node has no time of slot ${slot} yet`)
        return { slot, timeMs: seconds * 1_000 }
      }, signal)
    },
    newestSlot: (signal) => rpc.ask(answers.slot, 'getSlot', [{ commitment: 'processed' }], signal),
    async recentBlockhash(signal) {
      const params = [{ commitment: 'confirmed' }]
      return (await rpc.ask(answers.latestBlockhash, 'getLatestBlockhash', params, signal)).value.blockhash
    },
    async tokenAccounts(accounts, slot, signal) {
      const found: (TokenAccount | undefined)[] = []
      const options = {
        commitment: 'confirmed',
        encoding: 'base64',
        ...(slot !== undefined && { minContextSlot: slot }),
      }
      for (const batch of batches(accounts, accountsPerCall)) {
        const { value } = await rpc.ask(answers.accounts, 'getMultipleAccounts', [batch, options], signal)
        if (value.length !== batch.length) throw new Error(`${name}: a node left accounts out`)
        found.push(...value.map((account) => (account === null ? undefined : readTokenAccount(account))))
      }
      return found
    },
    async signatures(account, after, slot, signal) {
      const newestFirst: ListedSignature[] = []
      for (let calls = 0; calls < listingsMax; calls++) {
        const before = newestFirst.at(-1)?.signature
        const range = { ...(after !== null && { until: after }), ...(before !== undefined && { before }) }
        const page = await listSignatures(account, { ...range, minContextSlot: slot }, signal)
        newestFirst.push(...page)
        if (page.length < signaturesPerCall) return newestFirst.reverse()
      }
      log.error({ network: name, account }, 'an account has more transactions than are read')
      return newestFirst.reverse()
    },
    newestSignatures: (account, slot, signal) => listSignatures(account, { minContextSlot: slot }, signal),
    async transaction(txId, commitment, signal) {
      const { schema, method, params } = query(txId, commitment)
      const answer = await rpc.ask(schema, method, params, signal)
      if (answer === null) return undefined
      const transaction = readTransaction(txId, answer)
      if (transaction.timeMs !== null) return transaction
      const seconds = await rpc.ask(answers.blockTime, 'getBlockTime', [transaction.slot], signal)
      return { ...transaction, timeMs: seconds === null ? null : seconds * 1_000 }
    },
    async isGone(txId, slot, signal) {
      const { schema, method, params } = query(txId, 'confirmed')
      return await rpc.together(async (ask) => {
        const final = await ask(answers.slot, 'getSlot', [{ commitment: 'finalized' }])
        return final > slot && (await ask(schema, method, params)) === null
      }, signal)
    },
    async isAttested(transaction, signal) {
      const isSame = (answer: z.infer<typeof transactionAnswer>) => {
        if (answer === null) return false
        const said = readTransaction(transaction.signature, answer)
        return isSameTransaction({ ...said, timeMs: said.timeMs ?? transaction.timeMs }, transaction)
      }
      return await rpc.isAttested(query(transaction.signature, 'finalized'), isSame, signal)
    },
    async statuses(txIds, signal) {
      const found: TransactionStatus[] = []
      for (const batch of batches(txIds, statusesPerCall)) {
        const options = { searchTransactionHistory: true }
        const { value } = await rpc.ask(answers.statuses, 'getSignatureStatuses', [batch, options], signal)
        if (value.length !== batch.length) throw new Error(`${name}: a node left statuses out`)
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
