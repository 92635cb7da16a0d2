import type { Movement } from '../../chain/movements.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { BookedPayout } from './books-store.ts'
import type { Difference } from './difference.ts'

/** Money returned on chain. */
export type SentBack = Extract<Movement, { kind: 'sentBack' }>

type PayoutBooks = {
  paymentId: PaymentId
  kind: 'refund' | 'return'
  booked: readonly BookedPayout[]
  /** The amount that the payment counts as finally returned. */
  counted: bigint
}

type ChainPlace = {
  /** Transactions in blocks after the compared one. */
  later: ReadonlySet<string>
  isSameAddress: (one: string, other: string) => boolean
}

/** Compares returned money on the chain with the books: each transaction, and the sum. */
export function judgeSentBack(
  { paymentId, kind, booked, counted }: PayoutBooks,
  sentBack: readonly SentBack[],
  { later, isSameAddress }: ChainPlace,
): Difference[] {
  const differences: Difference[] = []
  const differs = (code: Difference['code'], txId: string | null, message: string) =>
    void differences.push({ code, paymentId, txId, message })
  for (const { txId, amount, to } of sentBack) {
    const payout = booked.find(({ transactions }) => transactions.some((one) => one.txId === txId))
    if (payout === undefined || isGivenUp(payout)) {
      const books = payout ? 'say that the transaction sent nothing' : 'do not have it'
      differs(`${kind}_not_in_books`, txId, `the chain returned ${amount} to ${to}; the books ${books}`)
    } else if (payout.amount !== amount || !isSameAddress(payout.address ?? '', to)) {
      const books = `${payout.amount} to ${payout.address}`
      differs('payout_differs', txId, `the chain returned ${amount} to ${to}; the books say ${books}`)
    }
  }
  let sum = 0n
  for (const { state, amount, transactions } of booked) {
    if (state !== 'confirmed') continue
    sum += amount ?? 0n
    // A reorg can remove a final transaction from its block: it is sent again, and still counted.
    const isThere = ({ txId, isOpen }: BookedPayout['transactions'][number]) =>
      isOpen || later.has(txId) || sentBack.some((one) => one.txId === txId)
    const newest = transactions.at(-1)
    if (transactions.some(isThere)) continue
    const books = `the books say that ${amount} were returned`
    differs(`${kind}_not_on_chain`, newest?.txId ?? null, `${books}; the chain has no such transaction`)
  }
  if (sum !== counted) {
    const books = `the payment counts ${counted} as returned`
    differs('sum_differs', null, `${books}; its ${kind} transactions add up to ${sum}`)
  }
  return differences
}

/** None of the payout's transactions can become final any more. */
const isGivenUp = ({ state, transactions }: BookedPayout): boolean =>
  state === 'failed' || (state === 'sent' && !transactions.some(({ isOpen }) => isOpen))
