import { type AccountReading, effectOf, type Movement } from '../../chain/movements.ts'
import type { DepositPayment, UnmatchedTransfer } from '../../payment/payment.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { BookedPayout, PaymentBooks } from './books-store.ts'
import type { Difference, Holding, Judged, Note, Scope } from './difference.ts'
import { judgeSentBack } from './judge-payouts.ts'
import { watchedUntilMs } from './judge-transfers.ts'

type Unmatched = {
  payment: DepositPayment
  /** As the books write it. */
  token: string
  known: UnmatchedTransfer | undefined
  movements: readonly Movement[]
  /** What lies at the address. */
  amount: bigint
  returns: readonly BookedPayout[]
  isQueued: boolean
}

/** Compares what lies at a deposit address and was not asked for, token by token, with what the books have of it. */
export function judgeUnmatched(
  { payment, payouts, queued }: PaymentBooks,
  { movements, balances }: AccountReading,
  scope: Scope,
): Judged {
  const judged: Judged = { differences: [], notes: [], holdings: [], entries: [] }
  if (payment.mode !== 'deposit') return judged
  const isHome = (token: string) =>
    payment.network === scope.network && scope.isSameAddress(token, payment.tokenAddress)
  const inBooks = payment.unmatched.filter(({ network }) => network === scope.network)
  const tokens: string[] = []
  for (const { token } of [...inBooks, ...movements, ...balances]) {
    const isNew = !isHome(token) && !tokens.some((one) => scope.isSameAddress(one, token))
    if (isNew) tokens.push(token)
  }
  for (const token of tokens) {
    const isOfToken = (one: { token: string }) => scope.isSameAddress(one.token, token)
    const isReturn = (one: { kind: string; network: string; token: string }) =>
      one.kind === 'return' && one.network === scope.network && isOfToken(one)
    const unmatched: Unmatched = {
      payment,
      token,
      known: inBooks.find(isOfToken),
      movements: movements.filter(isOfToken),
      amount: balances.find(isOfToken)?.amount ?? 0n,
      returns: payouts.filter(isReturn),
      isQueued: queued.some(isReturn),
    }
    const { differences, notes, holdings } = judgeToken(unmatched, scope)
    judged.differences.push(...differences)
    judged.notes.push(...notes)
    judged.holdings.push(...holdings)
    for (const movement of unmatched.movements) judged.entries.push({ movement, isMatched: false })
  }
  return judged
}

function judgeToken(unmatched: Unmatched, scope: Scope): Omit<Judged, 'entries'> {
  const { payment, token, known, movements, amount, returns, isQueued } = unmatched
  const differences: Difference[] = judgeSentBack(
    { paymentId: payment.id, kind: 'return', booked: returns, counted: known?.refunded ?? 0n },
    movements.filter((movement) => movement.kind === 'sentBack'),
    scope,
  )
  const isCoin = token === coinAddress
  const { differences: others, unwatched, notes } = isCoin ? judgeCoin(unmatched, scope) : judgeLogged(unmatched, scope)
  differences.push(...others)
  const holding: Holding = { token, onItsWay: 0n, unmatched: 0n, stillThere: unwatched }
  holding[isQueued ? 'onItsWay' : 'unmatched'] = amount - unwatched
  return { differences, notes, holdings: amount === 0n && movements.length === 0 ? [] : [holding] }
}

type JudgedToken = { differences: Difference[]; notes: Note[]; unwatched: bigint }

/** A coin leaves no log when it comes: its balance can only be compared with what was sent back. */
function judgeCoin({ payment, known, movements, amount, returns }: Unmatched, { at }: Scope): JudgedToken {
  const isUncounted = ({ txId }: Movement) =>
    !returns.some((one) => one.state === 'confirmed' && one.transactions.some((sent) => sent.txId === txId))
  const balance = known !== undefined && known.block <= at.number ? known.balance : 0n
  // More is read by the next passes of the service. Less can only have gone by a return.
  if (amount >= balance || movements.some(isUncounted)) return { differences: [], notes: [], unwatched: 0n }
  const message = `the books have ${balance} of the chain's coin at the address; the chain has ${amount}`
  const difference = { code: 'unmatched_differs', paymentId: payment.id, txId: null, message } as const
  return { differences: [difference], notes: [], unwatched: 0n }
}

function judgeLogged({ payment, known, movements, amount, token }: Unmatched, scope: Scope): JudgedToken {
  const judged: JudgedToken = { differences: [], notes: [], unwatched: 0n }
  const paymentId = payment.id
  const differs = (code: Difference['code'], txId: string | null, message: string) =>
    void judged.differences.push({ code, paymentId, txId, message })
  const sumUpTo = (block: number) =>
    movements.filter((one) => one.block <= block).reduce((sum, movement) => sum + effectOf(movement), 0n)
  const total = sumUpTo(scope.at.number)
  if (total !== amount)
    differs('balance_differs', null, `what moved of ${token} adds up to ${total}; the address holds ${amount}`)
  // The service measures what lies there when it sees a transfer, and reads the balance again only after another transfer.
  const measuredAt = known && known.block <= scope.at.number ? known.block : undefined
  if (known && measuredAt !== undefined && known.balance !== sumUpTo(measuredAt)) {
    const last = movements.findLast(({ block }) => block <= measuredAt)
    const chain = `the chain had ${sumUpTo(measuredAt)} there`
    differs('unmatched_differs', last?.txId ?? null, `the books have ${known.balance} in block ${measuredAt}; ${chain}`)
  }
  for (const one of movements) {
    if (one.kind !== 'in' || one.block <= (known?.block ?? -1)) continue
    const chain = `the chain has ${one.amount} of ${token} in block ${one.block}`
    if (one.timeMs > watchedUntilMs(payment)) {
      judged.unwatched += one.amount
      const message = `${chain}, after the payment's address was watched; the slow scan has not found it yet`
      judged.notes.push({ code: 'unwatched', paymentId, txId: one.txId, message })
    } else if (one.block <= (scope.unmatchedApplied ?? -1)) {
      differs('transfer_not_in_books', one.txId, `${chain}; the books do not have the transfer`)
    }
  }
  return judged
}
