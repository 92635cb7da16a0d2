import type { BaseUnits } from '../core/money.ts'
import type { WebhookEventType } from '../core/record-codes.ts'
import type { BridgeReport, Ending } from './payment.ts'

/** A token movement on chain into a payment. (network, txId, logIndex) is its identity. */
export type Transfer = {
  network: string
  txId: string
  logIndex: number
  payer: string
  amount: BaseUnits
  blockNumber: number
  blockHash: string
  blockTimeMs: number
}

export type TransferState = 'seen' | 'confirmed' | 'reverted'

/** A transfer as stored. `isLate`: its block is later than the payment's window. */
export type StoredTransfer = Transfer & { state: TransferState; isLate: boolean }

/** What happened to a payment. `atMs` is when we learned it, on our clock. */
export type PaymentEvent =
  /** The transfer is in a canonical block, with fewer confirmations than the network requires. */
  | { type: 'transfer.seen'; transfer: Transfer; atMs: number }
  /** The transfer has the required confirmations, in the same block. */
  | { type: 'transfer.confirmed'; transfer: Transfer; atMs: number }
  /**
   * A reorg replaced the block of the transfer. `arriving`: base units that the next events report of replaced transactions of the payment,
   * in their new blocks.
   */
  | { type: 'transfer.reverted'; transfer: Transfer; arriving?: bigint; atMs: number }
  /** A block after the end of the window, or after the end of the late window, was fully applied. */
  | { type: 'window.ended'; blockTimeMs: number; atMs: number }
  /**
   * A caller ended the payment. No money moves. `isShort`: the merchant ended a partially paid payment, and
   * the part is due for refund. `reason`: the caller's text.
   */
  | { type: 'payment.closed'; as: Ending; isShort?: boolean; reason?: string; atMs: number }
  /**
   * The sweep reached the merchant's wallet, final on the network. `amount`: paid to merchant and platform
   * together; absent: the available part of the amount due.
   */
  | { type: 'sweep.confirmed'; txId: string; amount?: BaseUnits; atMs: number }
  /**
   * A reorg deeper than the confirmations undid the sweep, whose transaction can no longer be mined. `txIds`:
   * all forms of that transaction.
   */
  | { type: 'sweep.undone'; txIds: readonly string[]; atMs: number }
  /** The sweep is deferred until it is worth its gas, or is no longer deferred. */
  | { type: 'sweep.waiting'; isWaiting: boolean; atMs: number }
  /** An attempt to sweep failed and will be retried. `isGivenUp`: it is retried hourly, and a person should check it. */
  | { type: 'sweep.failed'; isGivenUp: boolean; atMs: number }
  /** A refund address was named: for refunds of the payment or, with `network`, for the unmatched transfers on that network alone. */
  | { type: 'refund.requested'; address: string; atMs: number; network?: string }
  /** A refund reached the refund address, final on the network. */
  | { type: 'refund.confirmed'; amount: BaseUnits; txId: string; atMs: number }
  /** A reorg undid a refund; the same as `sweep.undone` for a sweep. */
  | { type: 'refund.undone'; amount: BaseUnits; txIds: readonly string[]; atMs: number }
  /** Another form of a counted refund's transaction was mined. `txIds`: all forms. */
  | { type: 'refund.replaced'; txId: string; txIds: readonly string[]; atMs: number }
  /** A refund transaction was stored. Until it is final, its amount does not count towards the payment. */
  | { type: 'refund.sent'; amount: BaseUnits; atMs: number }
  /** The refund transaction sent nothing and never will. */
  | { type: 'refund.dropped'; amount: BaseUnits; atMs: number }
  /** The sums of the payment's merchant refunds changed. Cancelling one can make the payment paid, or open again. */
  | { type: 'merchant_refunds.changed'; atMs: number }
  /** The merchant accepts the full late amount. */
  | { type: 'late.accepted'; atMs: number }
  /** The merchant returns the late amount: it goes to the refund address. */
  | { type: 'late.returned'; atMs: number }
  /** An attempt to refund failed. `isGivenUp` as in `sweep.failed`. */
  | { type: 'refund.failed'; isGivenUp: boolean; atMs: number }
  /** The balance of an unmatched token or coin at the deposit address, in a block that has the required confirmations. */
  | (UnmatchedEventOf<'measured'> & {
      currency: string
      decimals: number
      balance: BaseUnits
      block: number
      /** The newest transfer of the token; null if no log shows one. */
      txId: string | null
    })
  /** An unmatched transfer was returned, final on the network in `block`. */
  | (UnmatchedEventOf<'returned'> & { amount: BaseUnits; txId: string; block: number })
  /** A reorg undid a return; the same as `sweep.undone` for a sweep. */
  | (UnmatchedEventOf<'return_undone'> & { amount: BaseUnits; txIds: readonly string[] })
  /** Another form of a counted return's transaction was mined. `txIds`: all forms. */
  | (UnmatchedEventOf<'return_replaced'> & { txId: string; txIds: readonly string[] })
  /** An attempt to return an unmatched transfer failed. */
  | (UnmatchedEventOf<'return_failed'> & { as: 'failing' | 'failed' | 'too_small'; reason?: 'coins_refused' })
  /** The relay reported its progress. A report moves no money and never makes a payment paid. */
  | { type: 'bridge.moved'; report: BridgeReport; atMs: number }

/** `token` in lower case; the zero address is the chain's own coin. */
type UnmatchedEventOf<Name extends string> = { type: `unmatched.${Name}`; network: string; token: string; atMs: number }

/** Work that follows from a transition: stored in the same commit, done by other workers. */
export type Effect =
  | { type: 'emit'; event: WebhookEventType }
  | { type: 'queue-sweep' | 'cancel-sweep' | 'queue-refund' | 'cancel-refund' }
  | { type: 'queue-return' | 'cancel-return'; network: string; token: string }

/** Whether a stored transfer is this one, in the same block. One that does not count yet is replaced by what later reads say of it: the first node may have lied. */
export const isSameTransfer = (known: StoredTransfer, { blockHash, amount, payer }: Transfer): boolean =>
  known.blockHash === blockHash && (known.state !== 'seen' || (known.amount === amount && known.payer === payer))

/** The newest canonical transfer, which the customer sees: the moved one, or the newest of the others. */
export function newestOf(moved: StoredTransfer, other: StoredTransfer | undefined): StoredTransfer | undefined {
  if (moved.state === 'reverted') return other
  if (other === undefined) return moved
  return other.blockNumber > moved.blockNumber ? other : moved
}
