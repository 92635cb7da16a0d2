import { PublicKey } from '@solana/web3.js'
import { z } from 'zod'
import { rpcErrorOf } from '../../rpc-pool.ts'
import type { AccountState, RecentBlockhash, SolanaAdapter, TransactionStatus } from '../rpc/solana-adapter.ts'
import { responses, type SolanaRpc } from '../rpc/solana-rpc.ts'
import { changeOf, type SolanaTransaction } from '../rpc/solana-transaction.ts'
import {
  type AccountHistory,
  type AskedHistory,
  isExpired,
  isFinalized,
  readAccountHistory,
  readStatuses,
} from './account-history.ts'

/** Maximum transactions of an account to search for a payout lost by a restored database. */
const searchedPayoutsMax = 200

/** Millionths of a lamport per compute unit: for 200,000 units 0.0002 SOL. */
const unitPriceMax = 1_000_000

/** The newest confirmed slot, and its time. */
export type SolanaHead = { number: number; timeMs: number }

/** Statuses of outgoing transactions. `height`: every block up to it was final before the statuses were read. */
type TransactionStatuses = { height: number; statuses: TransactionStatus[] }

/** A blockhash has expired, or the node is behind the one that named it. */
export class UnknownBlockhash extends Error {
  constructor(network: string) {
    super(`${network}: a node does not know the blockhash`)
  }
}

/** The payouts' view of Solana. Calls reject when no node responds, which says nothing about the transactions. */
export type SolanaSender = {
  head(): Promise<SolanaHead>
  recentBlockhash(): Promise<RecentBlockhash>
  /** In order; undefined where no account exists. */
  accounts(addresses: readonly string[]): Promise<(AccountState | undefined)[]>
  lamports(address: string): Promise<bigint>
  /** Recent priority fee for writes to these accounts, in millionths of a lamport per compute unit, bounded. */
  unitPrice(writable: readonly string[]): Promise<number>
  /**
   * Why the transaction would fail; undefined if it would not. Signatures may be missing; they are not verified.
   * @throws {UnknownBlockhash} when the node does not know its blockhash.
   */
  simulate(unsigned: string): Promise<string | undefined>
  /** @returns the node's refusal; undefined if it accepted the transaction. Only a final block decides the outcome. */
  broadcast(raw: string): Promise<string | undefined>
  /** The final history of a deposit's token account, as listed by two nodes (if configured). */
  history(asked: AskedHistory): Promise<AccountHistory>
  /** Whether two nodes (if configured) lack a transaction that no later block can contain. */
  isExpired(outgoing: { txId: string; lastValidHeight: number }): Promise<boolean>
  /** Whether two nodes (if configured) have finalized a transaction with this result. */
  isFinalized(outgoing: { txId: string; isFailed: boolean }): Promise<boolean>
  /**
   * The newest final transaction that withdrew from the account and added between `least` and `most` to the other, and
   * what it added.
   * @throws {Error} when one cannot be read, or two nodes (if configured) do not have the same one of a high-value payment.
   */
  findPayout(
    txIds: readonly string[],
    from: { account: string; isHighValue: boolean },
    to: { account: string; least: bigint; most: bigint },
  ): Promise<{ txId: string; gain: bigint } | undefined>
  /**
   * The newest final transaction that withdrew from the account to one other account. `amount` in base units of the
   * mint. Throws as `findPayout` does.
   */
  findRefund(
    txIds: readonly string[],
    from: { account: string; mint: string; isHighValue: boolean },
  ): Promise<{ txId: string; to: string; amount: bigint } | undefined>
  /** Statuses from one node, with the height read first. A node that does not know a transaction proves nothing. */
  statuses(txIds: readonly string[]): Promise<TransactionStatuses>
}

/** Started calls finish even while the service stops: each has its own timeout. */
const { signal } = new AbortController()

export function createSolanaSender(chain: SolanaAdapter, rpc: SolanaRpc): SolanaSender {
  const confirmed = { commitment: 'confirmed' }

  /** @throws {Error} when one cannot be read, or there are too many: an unread one may be the one searched for. */
  async function* readFinal(txIds: readonly string[]): AsyncGenerator<[string, SolanaTransaction]> {
    for (const [index, txId] of txIds.entries()) {
      const transaction = index < searchedPayoutsMax ? await chain.transaction(txId, 'finalized', signal) : undefined
      if (transaction === undefined) throw new Error(`${chain.network}: transaction ${txId} could not be read`)
      yield [txId, transaction]
    }
  }

  async function requireAttested(transaction: SolanaTransaction): Promise<void> {
    if (await chain.isAttested(transaction, signal)) return
    throw new Error(`${chain.network}: too few nodes confirm transaction ${transaction.signature}`)
  }

  return {
    async head() {
      const { slot, timeMs } = await chain.head(signal)
      return { number: slot, timeMs }
    },
    recentBlockhash: () => chain.recentBlockhash(signal),
    accounts: (addresses) => chain.accounts(addresses, undefined, signal),
    async lamports(address) {
      return BigInt((await rpc.ask(responses.lamports, 'getBalance', [address, confirmed], signal)).value)
    },
    async unitPrice(writable) {
      const fees = await rpc.ask(responses.fees, 'getRecentPrioritizationFees', [writable], signal)
      const sorted = fees.map(({ prioritizationFee }) => prioritizationFee).sort((a, b) => a - b)
      return Math.min(unitPriceMax, sorted[Math.floor(sorted.length * 0.75)] ?? 0)
    },
    async simulate(unsigned) {
      const options = { ...confirmed, encoding: 'base64', sigVerify: false }
      const { value } = await rpc.ask(responses.simulation, 'simulateTransaction', [unsigned, options], signal)
      if (value.err === null) return undefined
      if (value.err === 'BlockhashNotFound') throw new UnknownBlockhash(chain.network)
      // The last log lines name the program and its reason. They are untrusted, so only a part is kept.
      return `${JSON.stringify(value.err)} ${(value.logs ?? []).slice(-3).join(' | ')}`.slice(0, 400)
    },
    async broadcast(raw) {
      const options = { encoding: 'base64', skipPreflight: true }
      try {
        await rpc.ask(z.string(), 'sendTransaction', [raw, options], signal)
        return undefined
      } catch (error) {
        return refusalOf(error)
      }
    },
    history: (asked) => readAccountHistory(rpc, asked, signal),
    isFinalized: (outgoing) => isFinalized(rpc, outgoing, signal),
    isExpired: (outgoing) => isExpired(rpc, outgoing, signal),
    async findPayout(txIds, { account, isHighValue }, to) {
      for await (const [txId, transaction] of readFinal(txIds)) {
        const gain = changeOf(transaction, to.account)
        if (changeOf(transaction, account) >= 0n || gain < to.least || gain > to.most) continue
        if (isHighValue) await requireAttested(transaction)
        return { txId, gain }
      }
      return undefined
    },
    async findRefund(txIds, { account, mint, isHighValue }) {
      for await (const [txId, transaction] of readFinal(txIds)) {
        const amount = -changeOf(transaction, account)
        const gained = transaction.changes.filter((one) => one.mint === mint && one.after > one.before)
        const [only] = gained
        const isOne = only !== undefined && gained.length === 1 && only.after - only.before === amount
        if (!isOne || only.ownerAfter === null) continue
        if (isHighValue) await requireAttested(transaction)
        return { txId, to: only.ownerAfter, amount }
      }
      return undefined
    },
    async statuses(txIds) {
      return await rpc.onOneNode(async (ask) => {
        const height = await ask(responses.slot, 'getBlockHeight', [{ commitment: 'finalized' }])
        return { height, statuses: await readStatuses(ask, txIds) }
      }, signal)
    },
  }
}

/**
 * The node's error message.
 * @throws the error when no node has judged the transaction.
 */
function refusalOf(error: unknown): string {
  const refusal = rpcErrorOf(error)
  if (refusal === undefined) throw error
  return refusal.details
}

/** Whether the address can have a private key; a program's addresses are off the curve. */
export const isOnCurve = (address: string): boolean => PublicKey.isOnCurve(new PublicKey(address).toBytes())
