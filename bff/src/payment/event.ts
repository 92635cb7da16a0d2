import type { BaseUnits } from '../core/money.ts'
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

/** What is stored of a transfer. `isLate`: its block is younger than the payment's window. */
export type StoredTransfer = Transfer & { state: TransferState; isLate: boolean }

/** What happened to a payment. `atMs` is when we learned it, on our clock. */
export type PaymentEvent =
  /** It is in a canonical block, with fewer confirmations than the network wants. */
  | { type: 'transfer.seen'; transfer: Transfer; atMs: number }
  /** It has the confirmations, in the same block. */
  | { type: 'transfer.confirmed'; transfer: Transfer; atMs: number }
  /** A reorg replaced its block. */
  | { type: 'transfer.reverted'; transfer: Transfer; atMs: number }
  /** A block after the end of the window, or of the time that late money has, was fully applied. */
  | { type: 'window.ended'; blockTimeMs: number; atMs: number }
  /** The caller gave up. No money moves. */
  | { type: 'payment.closed'; as: Ending; atMs: number }
  /** The money reached the merchant, final on the network. */
  | { type: 'sweep.confirmed'; txId: string; atMs: number }
  /** Forwarding waits until it is worth its gas, or does not any more. */
  | { type: 'sweep.waiting'; isWaiting: boolean; atMs: number }
  /** A try to forward failed; it will be tried again. `isGivenUp`: only slowly, and a person should look. */
  | { type: 'sweep.failed'; isGivenUp: boolean; atMs: number }
  /** Whoever may has said where money goes back to, now or later: what the payment owes, or with `network` the strays there alone. */
  | { type: 'refund.requested'; address: string; atMs: number; network?: string }
  /** Money went back, final on the network. */
  | { type: 'refund.confirmed'; amount: BaseUnits; txId: string; atMs: number }
  /** A transaction that sends so much back was stored: until it is final, that much pays nothing. */
  | { type: 'refund.sent'; amount: BaseUnits; atMs: number }
  /** That transaction is final, or can never be, and sent nothing. */
  | { type: 'refund.dropped'; amount: BaseUnits; atMs: number }
  /** The merchant takes the whole amount that came too late. */
  | { type: 'late.taken'; atMs: number }
  /** The merchant gives it back: it goes to the refund address. */
  | { type: 'late.returned'; atMs: number }
  /** A try to send it back failed; as `sweep.failed`. */
  | { type: 'refund.failed'; isGivenUp: boolean; atMs: number }
  /** So much of what the payment did not ask for lies at its address in that block, deep enough to be believed. */
  | (StrayEventOf<'seen'> & {
      currency: string
      decimals: number
      held: BaseUnits
      block: number
      /** The newest transfer of it; null where there is none to be seen. */
      txId: string | null
    })
  /** It went back, final on the network, in that block. */
  | (StrayEventOf<'refunded'> & { amount: BaseUnits; txId: string; block: number })
  /** A try to send it back failed. */
  | (StrayEventOf<'refund_failed'> & { as: 'failing' | 'failed' | 'too_small'; reason?: 'coins_refused' })
  /** The relay was asked how far it is. Its word moves no money and pays nothing. */
  | { type: 'bridge.moved'; news: BridgeReport; atMs: number }

/** `token` in lower case; the zero address is the chain's own coin. */
type StrayEventOf<Name extends string> = { type: `stray.${Name}`; network: string; token: string; atMs: number }

/** What the merchant is told. */
export type WebhookEventType =
  | 'payment.created'
  | 'payment.detected'
  | 'payment.underpaid'
  | 'payment.completed'
  | 'payment.overpaid'
  | 'payment.late'
  | 'payment.reorged'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'payment.failed'
  | 'deposit.swept'
  | 'deposit.sweep_failed'
  | 'deposit.refunded'
  | 'deposit.stray_received'
  | 'deposit.stray_refunded'
  | 'bridge.moved'

/** What is owed for a move: stored with it, done by the next stages. */
export type Effect =
  | { type: 'tell'; event: WebhookEventType }
  | { type: 'queue-sweep' | 'cancel-sweep' | 'queue-refund' | 'cancel-refund' }
  | { type: 'queue-stray-refund' | 'cancel-stray-refund'; network: string; token: string }
