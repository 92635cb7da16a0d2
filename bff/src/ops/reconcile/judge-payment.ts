import { type AccountReading, effectOf, type Movement } from '../../chain/movements.ts'
import { sharesOf } from '../../chain/shares.ts'
import { smaller } from '../../core/money.ts'
import { isSwept, type Payment } from '../../payment/payment.ts'
import { isPaid, settledOf } from '../../payment/payment-sums.ts'
import { planRefund } from '../../payment/refund.ts'
import { statusOf } from '../../payment/transition.ts'
import type { PaymentBooks } from './books-store.ts'
import type { Difference, Entry, Holding, Judged, Scope } from './difference.ts'
import { judgeSentBack, type SentBack } from './judge-payouts.ts'
import { judgeTransfers } from './judge-transfers.ts'
import { judgeUnmatched } from './judge-unmatched.ts'

type Settled = Extract<Movement, { kind: 'settled' }>

/** Compares the books of a payment's money on one network with the chain. Pure. */
export function judgePayment(books: PaymentBooks, read: AccountReading, scope: Scope): Judged {
  const { payment } = books
  if (read.unread !== undefined) {
    const unread: Difference = { code: 'not_compared', paymentId: payment.id, txId: null, message: read.unread }
    return { differences: [unread], notes: [], holdings: [], entries: [] }
  }
  const reading = payment.mode === 'deposit' && payment.isDirect ? ofMerchant(read) : read
  const unmatched = judgeUnmatched(books, reading, scope)
  if (books.payment.network !== scope.network) return unmatched
  const isMatched = ({ token }: { token: string }) => scope.isSameAddress(token, books.payment.tokenAddress)
  const movements = reading.movements.filter(isMatched).map((movement) => asRefund(movement, books))
  const own = judgeMatched(books, { ...reading, movements, balances: reading.balances.filter(isMatched) }, scope)
  return {
    differences: [...own.differences, ...unmatched.differences],
    notes: [...own.notes, ...unmatched.notes],
    holdings: [...own.holdings, ...unmatched.holdings],
    entries: [...own.entries, ...unmatched.entries],
  }
}

/** Money that reached an address of the merchant's own wallet has arrived; what leaves it is the merchant's business. */
function ofMerchant({ movements, balances, blocks }: AccountReading): AccountReading {
  return {
    movements: movements.flatMap((movement): Movement[] => {
      if (movement.kind !== 'in') return []
      const { amount, kind: _, ...place } = movement
      return [movement, { ...place, kind: 'settled', merchantAmount: amount, feeAmount: 0n, isFeeParked: false }]
    }),
    balances: balances.map(({ token }) => ({ token, amount: 0n })),
    blocks,
  }
}

/**
 * Without a contract, a refund to the merchant's or the platform's own wallet cannot be distinguished from a
 * settlement.
 */
function asRefund(movement: Movement, { payouts }: PaymentBooks): Movement {
  if (movement.kind !== 'settled' && movement.kind !== 'feePaid') return movement
  const refund = payouts.find(
    ({ kind, transactions }) => kind === 'refund' && transactions.some(({ txId }) => txId === movement.txId),
  )
  if (refund === undefined) return movement
  const to = refund.address ?? ''
  if (movement.kind === 'feePaid') return { ...movement, kind: 'sentBack', to }
  const { merchantAmount, feeAmount, isFeeParked: _, ...place } = movement
  return { ...place, kind: 'sentBack', to, amount: merchantAmount + feeAmount }
}

/** The payment's token on the payment's network. */
function judgeMatched(books: PaymentBooks, reading: AccountReading, scope: Scope): Judged {
  const { payment } = books
  const { differences, notes, unconfirmed } = judgeTransfers(books, reading, scope.at.number)
  const paymentId = payment.id
  const status = statusOf(payment)
  if (status !== payment.status) {
    const message = `the payment's status is ${payment.status}; its stored fields result in ${status}`
    differences.push({ code: 'status_differs', paymentId, txId: null, message })
  }
  const settled = reading.movements.find((movement) => movement.kind === 'settled')
  const sentBack = reading.movements.filter((movement) => movement.kind === 'sentBack')
  differences.push(...goneDifferences(payment, reading.movements))
  if (payment.mode === 'deposit' && !payment.isDirect) {
    const sweep = judgeSweep(books, settled, scope)
    differences.push(...sweep.differences)
    notes.push(...sweep.notes)
    const booked = books.payouts.filter(({ kind }) => kind === 'refund')
    const refunds = { paymentId, kind: 'refund' as const, booked, counted: payment.refunded }
    differences.push(...judgeSentBack(refunds, sentBack, scope))
  }
  const moved = reading.movements.reduce((sum, movement) => sum + effectOf(movement), 0n)
  // A wallet payment has no address of its own: only a parked share can remain.
  const amount = payment.mode === 'deposit' ? (reading.balances[0]?.amount ?? 0n) : moved
  if (moved !== amount) {
    const message = `the movements add up to ${moved}; the address holds ${amount}`
    differences.push({ code: 'balance_differs', paymentId, txId: null, message })
  }
  const holding = holdingOf(books, { amount, unconfirmed, settled, sentBack })
  const isEmpty = reading.movements.length === 0 && amount === 0n
  const entries: Entry[] = reading.movements.map((movement) => ({ movement, isMatched: true }))
  return { differences, notes, holdings: isEmpty ? [] : [holding], entries }
}

function goneDifferences({ id }: Payment, movements: readonly Movement[]): Difference[] {
  return movements
    .filter((movement) => movement.kind === 'gone')
    .map(({ txId, amount }) => {
      const message = `${amount} left the address by neither a sweep nor a refund`
      return { code: 'left_unexplained', paymentId: id, txId, message }
    })
}

/** Anyone may settle a deposit. The transaction may be external, but the books must have it or be about to find it. */
function judgeSweep(
  { payment, payouts, queued, transfers }: PaymentBooks,
  settled: Settled | undefined,
  { later }: Scope,
) {
  const judged: Pick<Judged, 'differences' | 'notes'> = { differences: [], notes: [] }
  if (payment.mode !== 'deposit') return judged
  const paymentId = payment.id
  const differs = (code: Difference['code'], txId: string | null, message: string) =>
    void judged.differences.push({ code, paymentId, txId, message })
  const transactions = payouts.filter(({ kind }) => kind === 'sweep').flatMap((sweep) => sweep.transactions)
  const isQueued = queued.some(({ kind }) => kind === 'sweep')
  const { sweepTxId } = payment
  if (settled && isSwept(payment)) {
    const isOurs = transactions.some(({ txId }) => txId === settled.txId)
    if (sweepTxId !== settled.txId)
      differs('payout_differs', settled.txId, `the books say that ${sweepTxId} settled the deposit`)
    else if (isPaidOtherwise(payment, settled)) {
      const chain = `the chain paid ${settled.merchantAmount} to the merchant and ${settled.feeAmount} to the platform`
      differs('payout_differs', settled.txId, `${chain}; the books say ${settledOf(payment)} in total`)
    } else if (!isOurs) {
      const message = 'settled externally, or by a database that was restored since'
      judged.notes.push({ code: 'external_settlement', paymentId, txId: settled.txId, message })
    }
  } else if (settled) {
    const isUnderWay = transactions.some(({ txId, isOpen }) => isOpen && txId === settled.txId)
    const isUnconfirmed = transfers.some(({ state }) => state === 'seen')
    const amount = settled.merchantAmount + settled.feeAmount
    if (!isUnderWay && !isQueued && !isUnconfirmed)
      differs('sweep_not_in_books', settled.txId, `the chain paid out ${amount}; the books do not have it`)
  } else if (isSwept(payment)) {
    const isSentAgain = transactions.some(({ isOpen }) => isOpen)
    if (!isSentAgain && !later.has(sweepTxId ?? ''))
      differs('sweep_not_on_chain', sweepTxId, 'the books say that it settled the deposit; the chain does not')
  } else if (payment.sweep !== 'none' && !isQueued) {
    differs('status_differs', null, 'the deposit is to be settled, but no sweep is queued')
  }
  return judged
}

/** On Solana a platform share that cannot be paid stays at the address, so it did not leave. */
function isPaidOtherwise(payment: Payment, { merchantAmount, feeAmount }: Settled): boolean {
  // A wrong status is reported separately, and would make this comparison meaningless.
  if (statusOf(payment) !== payment.status || merchantAmount + feeAmount === settledOf(payment)) return false
  return feeAmount > 0n || merchantAmount !== sharesOf(payment).merchant
}

type Left = { amount: bigint; unconfirmed: bigint; settled: Settled | undefined; sentBack: readonly SentBack[] }

/** Money that waits for confirmations, a sweep or a refund is pending; the rest is still there. */
function holdingOf({ payment, queued }: PaymentBooks, { amount, unconfirmed, settled }: Left): Holding {
  let onItsWay = smaller(amount, unconfirmed)
  if (payment.mode === 'deposit') {
    if (isPaid(payment) && settled === undefined) onItsWay += smaller(amount - onItsWay, payment.due)
    if (queued.some(({ kind }) => kind === 'refund')) onItsWay += smaller(amount - onItsWay, planRefund(payment))
  }
  return { token: payment.tokenAddress, onItsWay, unmatched: 0n, stillThere: amount - onItsWay }
}
