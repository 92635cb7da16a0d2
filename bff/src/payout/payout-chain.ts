import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { WakeSignal } from '../core/wake-signal.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { DepositPayment } from '../payment/payment.ts'
import type { DuePayout, Sending } from './payout-queue-store.ts'

/** What the payouts of one network need of the service. */
export type PayoutDeps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number }
  runtime: Runtime
  log: Log
  /** Woken when something is queued that somebody waits for. */
  wakeSignal?: WakeSignal
}

/** Why a payout cannot be sent now. `state`: what the payment says of a return, where that does not follow from the failures. */
export type Refused = { reason: string; state?: 'too_small' | 'failed'; shownReason?: 'coins_refused' }

/** Stores the payouts of the transaction, in the commit that stores the transaction. @throws {ConflictError} when a payout must no longer be sent. */
export type StorePayouts = (tx: Tx, transactionId: string) => Promise<void>

/**
 * A refund or return that the chain would accept now. `amount` is never more than the balance on chain.
 * `send` signs, stores and only then broadcasts. It resolves to undefined when nothing was stored: there was too little gas money, or
 * something else was faster.
 */
export type ReadyToSend = {
  amount: bigint
  send(store: StorePayouts): Promise<{ txId: string; nonce?: number } | { refused: Refused } | undefined>
}

/** `retryAtMs`: too early. `isEmpty`: the chain has nothing to send any more, and the payment knows. */
export type Preflight = ReadyToSend | { refused: Refused } | { retryAtMs: number } | { isEmpty: true }

/** The newest block or slot that the family read, with the fields that its payouts need. */
export type PayoutHead = { number: number }

/** What became of the transactions under way. `fault`: the first fault, which did not keep the others waiting. */
export type Monitored<Head> = { done: number; open: number; fault: unknown; head?: Head }

/** What one network of a chain family does for the payout worker: build, sign, send and monitor. */
export type PayoutChain<Head extends PayoutHead> = {
  /** Transactions under way at once: with so many, nothing new is sent. */
  openMax: number
  /** Sweeps that one pass reads. */
  sweepsMax: number
  canReturn: boolean
  /** No new transaction is sent before this time (Unix milliseconds), because the gas balance was too low. */
  outOfGasUntilMs(): number
  head(): Promise<Head>
  /** Finalizes, broadcasts again or replaces every transaction that is not final. `head` is there when it was read for that. */
  monitor(signal: AbortSignal): Promise<Monitored<Head>>
  /** @returns how many sweeps are on their way or were put off. */
  sendSweeps(due: readonly DuePayout[], head: Head): Promise<number>
  prepareRefund(payout: DuePayout, planned: Sending, payment: DepositPayment, head: Head): Promise<Preflight>
  prepareReturn(payout: DuePayout, planned: Sending, payment: DepositPayment, head: Head): Promise<Preflight>
  /** Work of the family's own around the payouts, each step with its faults by itself. */
  hasOwnWork?(tx: Tx, nowMs: number): Promise<boolean>
  beforePayouts?(): Promise<number>
  afterPayouts?: readonly (() => Promise<number>)[]
  /** Reads the gas balance now and then, also while there is nothing to send. */
  readGasBalance?(): Promise<void>
}
