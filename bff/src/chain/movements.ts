import type { Networks } from '../core/families.ts'
import type { BlockRef } from '../network/heads.ts'
import type { Payment, PaymentId } from '../payment/payment.ts'

/** What money for a payment, or for a refund that a merchant's wallet pays, is known by on chain. */
export type Account = {
  /** Of the payment, or of the refund, in the order of creation. */
  number: number
  id: PaymentId
  mode: Payment['mode'] | 'refund'
  /** Of the payment. A deposit address can be an address on other networks too. */
  network: string
  /** The deposit address; of a wallet payment and of a refund the hash of its terms, or its reference. */
  place: string
  token: string
  /** The contract whose event counts; null for deposits. */
  splitter: string | null
  /** JSON, as the chain family stored it; of a refund the customer's address. */
  terms: string
  createdAtMs: number
}

type Place = {
  txId: string
  /** Of the log, or of the token account among the keys of its transaction. */
  logIndex: number
  block: number
  timeMs: number
  /** As the node writes it; the zero address is the chain's own coin. */
  token: string
}

/** Money that moved, in base units of `token`, in a final block. */
export type Movement = Place &
  (
    | { kind: 'in'; amount: bigint }
    /** The merchant's and the platform's shares were paid. A parked fee is still where the money came to. */
    | { kind: 'settled'; merchantAmount: bigint; feeAmount: bigint; isFeeParked: boolean }
    /** A parked fee has reached the platform. */
    | { kind: 'feePaid'; amount: bigint }
    | { kind: 'sentBack'; to: string; amount: bigint }
    /** It left, and neither a sweep nor a refund or return took it. */
    | { kind: 'gone'; amount: bigint }
  )

export type Balance = { token: string; amount: bigint }

/** What the chain has of one account up to the reader's block. */
export type AccountReading = {
  /** In chain order. Of the coin only what was sent back: coins leave no log when they come. */
  movements: readonly Movement[]
  balances: readonly Balance[]
  /** The blocks of the account's transactions; undefined where the family applies whole blocks. */
  blocks: ReadonlyMap<string, number> | undefined
}

/** Reads one network for the books, apart from what the watcher stored. Every call throws when no node can be read. */
export type MovementReader = {
  /** Final, and applied by the watcher where that stores how far it came: all is compared up to this block. */
  readonly at: BlockRef
  /** In the order of `accounts`; undefined where the account is none of this network. */
  read(accounts: readonly Account[], signal: AbortSignal): Promise<(AccountReading | undefined)[]>
  /** The block of a transaction that moved money of the account; undefined where no final block of this chain has it. */
  blockOf(account: Account, txId: string, signal: AbortSignal): Promise<number | undefined>
  /** A transfer that pays a refund, as the chain has it; undefined where no final block has it. */
  transferOf(
    refund: Account,
    transfer: { txId: string; logIndex: number },
    signal: AbortSignal,
  ): Promise<{ block: number; amount: bigint } | undefined>
  /** @throws {ChainMovedError} when the chain is not the one any more that was read. */
  verifyUnchanged(signal: AbortSignal): Promise<void>
}

export type MovementsRequest = {
  /** The newest block that the watcher has applied; undefined where it stored none. */
  applied: number | undefined
  /** Every live payment, of whatever network, in pages. */
  accounts: () => AsyncIterable<readonly Account[]>
  networks: Networks
  /** Tokens beside those of the configuration and of the payments, that money may have come in. */
  tokens: readonly { address: string }[]
  /** Called with the number of blocks that were read, of all. */
  onProgress: (done: number, total: number) => void
  nowMs: () => number
}

/** Blocks were replaced while they were read, so the result is void. Reading again helps. */
export class ChainMovedError extends Error {}

/** The service has not applied a block of the network, so that its books say nothing of the network yet. */
export class NothingAppliedError extends Error {}

export const inChainOrder = (one: Movement, other: Movement): number =>
  one.block - other.block || one.logIndex - other.logIndex

/** By how much a movement changes what lies at the account that it is of. */
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
