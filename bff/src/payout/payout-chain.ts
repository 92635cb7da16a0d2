import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { WakeSignal } from '../core/wake-signal.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { DepositPayment } from '../payment/payment.ts'
import type { DuePayout, Sending } from './payout-queue-store.ts'

/** What the payouts of one network need from the service. */
export type PayoutDeps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number }
  runtime: Runtime
  log: Log
  /** Woken when a payout is queued that a caller waits for. */
  wakeSignal?: WakeSignal
}

/**
 * Why a payout cannot be sent now. `state`: the state that the payment shows for a return, if it does not follow from the number of
 * failures.
 */
export type Refused = { reason: string; state?: 'too_small' | 'failed'; shownReason?: 'coins_refused' }

/** Stores the payouts of the transaction, in the commit that stores the transaction. @throws {ConflictError} when a payout must no longer be sent. */
export type StorePayouts = (tx: Tx, transactionId: string) => Promise<void>

/**
 * A refund or return that the chain would accept now. `amount` is never more than the balance on chain.
 * `send` signs, stores and only then broadcasts. It resolves to undefined when nothing was stored: too little
 * gas balance, or a conflict.
 */
export type ReadyToSend = {
  amount: bigint
  send(store: StorePayouts): Promise<{ txId: string; nonce?: number } | { refused: Refused } | undefined>
}

/** `retryAtMs`: too early. `isEmpty`: nothing is left to send, and the payment is updated. */
export type Preflight = ReadyToSend | { refused: Refused } | { retryAtMs: number } | { isEmpty: true }

/** The newest block or slot that the family read, with the fields that its payouts need. */
export type PayoutHead = { number: number }

/** Results of the pending transactions. `fault`: the first fault; the others were still processed. */
export type Monitored<Head> = { done: number; open: number; fault: unknown; head?: Head }

/** One network of a chain family for the payout worker: builds, signs, sends and monitors transactions. */
export type PayoutChain<Head extends PayoutHead> = {
  /** Maximum pending transactions: beyond it, nothing new is sent. */
  openMax: number
  /** Sweeps per pass. */
  sweepsMax: number
  canReturn: boolean
  /** No new transaction is sent before this time (Unix milliseconds), because the gas balance was too low. */
  outOfGasUntilMs(): number
  head(): Promise<Head>
  /** Finalizes, broadcasts again or replaces every transaction that is not final. `head` is set if it was read. */
  monitor(signal: AbortSignal): Promise<Monitored<Head>>
  /** @returns how many sweeps were sent or postponed. */
  sendSweeps(due: readonly DuePayout[], head: Head): Promise<number>
  prepareRefund(payout: DuePayout, planned: Sending, payment: DepositPayment, head: Head): Promise<Preflight>
  prepareReturn(payout: DuePayout, planned: Sending, payment: DepositPayment, head: Head): Promise<Preflight>
  /** Family-specific steps around the payouts; each handles its own faults. */
  hasOwnWork?(tx: Tx, nowMs: number): Promise<boolean>
  beforePayouts?: readonly (() => Promise<number>)[]
  afterPayouts?: readonly (() => Promise<number>)[]
  /** Reads the gas balance periodically, even while nothing is sent. */
  readGasBalance?(): Promise<void>
}
