import type { Movement } from '../../chain/movements.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** What differs between the books and the chain. The codes are part of the JSON document. */
type DifferenceCode =
  /** The books have money that the chain does not have. */
  | 'transfer_not_on_chain'
  | 'transfer_not_in_books'
  /** Both have it, with another amount, block or time. */
  | 'transfer_differs'
  | 'sweep_not_on_chain'
  | 'sweep_not_in_books'
  | 'refund_not_on_chain'
  | 'refund_not_in_books'
  | 'return_not_on_chain'
  | 'return_not_in_books'
  /** Both have it, with another transaction, amount or address. */
  | 'payout_differs'
  /** A sum of the payment is not the sum of what it is made of. */
  | 'sum_differs'
  | 'status_differs'
  | 'unmatched_differs'
  /** It left the deposit address, and nothing of ours sent it. */
  | 'left_unexplained'
  /** What moved does not add up to what is there. */
  | 'balance_differs'

export type Difference = {
  code: DifferenceCode
  paymentId: PaymentId
  /** The transaction that differs; null where no transaction does, such as of a status. */
  txId: string | null
  /** For a person: what the books say, and what the chain says. */
  message: string
}

/** Worth knowing, and no difference: nobody has to do anything for the books to be right. */
type NoteCode = 'unwatched' | 'paid_again' | 'external_settlement'
export type Note = { code: NoteCode; paymentId: PaymentId; txId: string | null; message: string }

/** What is compared, and up to which block. */
export type Scope = {
  network: string
  at: { number: number; timeMs: number }
  /** The newest block up to which the service has searched for unmatched transfers; undefined: none. */
  unmatchedApplied: number | undefined
  /** Transactions that the chain has in later blocks. */
  later: ReadonlySet<string>
  isSameAddress: (one: string, other: string) => boolean
}

/** What lies at an address of ours, in base units of `token`. */
export type Holding = { token: string; onItsWay: bigint; unmatched: bigint; stillThere: bigint }

/** `isMatched`: of the token that the payment asks for, on the payment's network. */
export type Entry = { movement: Movement; isMatched: boolean }

export type Judged = { differences: Difference[]; notes: Note[]; holdings: Holding[]; entries: Entry[] }
