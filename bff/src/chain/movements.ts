import type { Networks } from '../core/families.ts'
import type { BlockRef } from '../network/heads.ts'
import type { Payment, PaymentId } from '../payment/payment.ts'

/** Identifies on chain the money of a payment, or of a refund paid by a merchant's wallet. */
export type Account = {
  /** Creation number of the payment or the refund. */
  number: number
  id: PaymentId
  mode: Payment['mode'] | 'refund'
  /** The payment's network. A deposit address can exist on other networks too. */
  network: string
  /** The deposit address; for a wallet payment or refund, the hash of its terms or its reference. */
  place: string
  token: string
  /** The contract whose event counts; null for deposits. */
  splitter: string | null
  /** JSON in the chain family's form; for a refund, the customer's address. */
  terms: string
  createdAtMs: number
}

type Place = {
  txId: string
  /** Index of the log or, on Solana, of the token account among the transaction's keys. */
  logIndex: number
  block: number
  timeMs: number
  /** As the node writes it; the zero address stands for the chain's coin. */
  token: string
}

/** A movement of money in a final block, in base units of `token`. */
export type Movement = Place &
  (
    | { kind: 'in'; amount: bigint }
    /** The merchant's and the platform's shares were paid. A parked fee still lies where the money arrived. */
    | { kind: 'settled'; merchantAmount: bigint; feeAmount: bigint; isFeeParked: boolean }
    /** A parked fee has reached the platform. */
    | { kind: 'feePaid'; amount: bigint }
    | { kind: 'sentBack'; to: string; amount: bigint }
    /** It left the account by neither a sweep nor a refund or return. */
    | { kind: 'gone'; amount: bigint }
  )

export type Balance = { token: string; amount: bigint }

/** One account's state on chain, up to the reader's block. */
export type AccountReading = {
  /** In chain order. For coins, only what was sent back: incoming coins leave no log. */
  movements: readonly Movement[]
  balances: readonly Balance[]
  /** The blocks of the account's transactions; undefined where the family applies whole blocks. */
  blocks: ReadonlyMap<string, number> | undefined
  /** Why this account could not be read, and cannot be compared. */
  unread?: string
}

/** Reads one network for the books, independently of what the watcher stored. Every call throws if no node is readable. */
export type MovementReader = {
  /** The block up to which everything is compared: final, and applied by the watcher where it stores its progress. */
  readonly at: BlockRef
  /** In the order of `accounts`; undefined for accounts that are not on this network. */
  read(accounts: readonly Account[], signal: AbortSignal): Promise<(AccountReading | undefined)[]>
  /** The block of a transaction that moved a deposit's money; undefined if no final block of this chain has it. */
  blockOf(account: Account, txId: string, signal: AbortSignal): Promise<number | undefined>
  /** A transfer that pays a refund, as recorded on chain; undefined if no final block has it. */
  transferOf(
    refund: Account,
    transfer: { txId: string; logIndex: number },
    signal: AbortSignal,
  ): Promise<{ block: number; amount: bigint } | undefined>
  /** @throws {ChainMovedError} when the chain changed since it was read. */
  verifyUnchanged(signal: AbortSignal): Promise<void>
}

export type MovementsRequest = {
  /** The newest block that the watcher has applied; undefined if it stored none. */
  applied: number | undefined
  /** Every live payment on any network, in pages. */
  accounts: () => AsyncIterable<readonly Account[]>
  networks: Networks
  /** Tokens, beyond those of the configuration and the payments, in which money may have arrived. */
  tokens: readonly { address: string }[]
  /** Called with the number of blocks read so far, and in total. */
  onProgress: (done: number, total: number) => void
  nowMs: () => number
}

/** Blocks were replaced while they were read, so the result is void. Retrying helps. */
export class ChainMovedError extends Error {}

/** The service has applied no block of the network yet, so its books do not cover it. */
export class NothingAppliedError extends Error {}

export const inChainOrder = (one: Movement, other: Movement): number =>
  one.block - other.block || one.logIndex - other.logIndex

/** The change of an account's balance by a movement. */
export function effectOf(movement: Movement): bigint {
  switch (movement.kind) {
    case 'in':
      return movement.amount
    case 'settled':
      return -(movement.merchantAmount + (movement.isFeeParked ? 0n : movement.feeAmount))
    case 'feePaid':
    case 'sentBack':
    case 'gone':
      return -movement.amount
    default:
      return movement satisfies never
  }
}
