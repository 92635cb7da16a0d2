import type { Movement } from '../../chain/movements.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** A difference between the books and the chain. The codes are part of the JSON output. */
type DifferenceCode =
  /** The books have money that the chain does not have. */
  | 'transfer_not_on_chain'
  | 'transfer_not_in_books'
  /** Both have it, with a different amount, block or time. */
  | 'transfer_differs'
  | 'sweep_not_on_chain'
  | 'sweep_not_in_books'
  | 'refund_not_on_chain'
  | 'refund_not_in_books'
  | 'return_not_on_chain'
  | 'return_not_in_books'
  /** About refunds that the merchant's wallet pays. */
  | 'merchant_refund_not_on_chain'
  | 'merchant_refund_not_in_books'
  /** Both have it, with a different transaction, amount or address. */
  | 'payout_differs'
  /** A payment's total is not the sum of its parts. */
  | 'sum_differs'
  | 'status_differs'
  | 'unmatched_differs'
  /** Money left the deposit address by an external transaction. */
  | 'left_unexplained'
  /** The movements do not add up to the balance. */
  | 'balance_differs'
  /** What the chain has could not be read for this payment or refund alone. */
  | 'not_compared'

export type Difference = {
  code: DifferenceCode
  paymentId: PaymentId
  /** The transaction that differs; null if the difference has none, such as a status. */
  txId: string | null
  /** For a person: what the books say, and what the chain says. */
  message: string
}

/** Informational: the books are correct without any action. */
type NoteCode = 'unwatched' | 'paid_again' | 'external_settlement'
export type Note = { code: NoteCode; paymentId: PaymentId; txId: string | null; message: string }

/** What is compared, and up to which block. */
export type Scope = {
  network: string
  at: { number: number; timeMs: number }
  /** The newest block searched for unmatched transfers; undefined: none. */
  unmatchedApplied: number | undefined
  /** Transactions in later blocks of the chain. */
  later: ReadonlySet<string>
  isSameAddress: (one: string, other: string) => boolean
}

/** The balance of one of our addresses, in base units of `token`. */
export type Holding = { token: string; onItsWay: bigint; unmatched: bigint; stillThere: bigint }

/** `isMatched`: the payment's token on the payment's network. */
export type Entry = { movement: Movement; isMatched: boolean }

export type Judged = { differences: Difference[]; notes: Note[]; holdings: Holding[]; entries: Entry[] }
