import { type AccountReading, effectOf, type Movement } from '../../chain/movements.ts'
import type { DepositPayment, UnmatchedTransfer } from '../../payment/payment.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { BookedPayout, PaymentBooks } from './books-store.ts'
import type { Difference, Holding, Judged, Note, Scope } from './difference.ts'
import { judgeSentBack } from './judge-payouts.ts'
import { watchedUntilMs } from './judge-transfers.ts'

type Unmatched = {
  payment: DepositPayment
  /** In the books' format. */
  token: string
  known: UnmatchedTransfer | undefined
  movements: readonly Movement[]
  /** The balance of the address. */
  amount: bigint
  returns: readonly BookedPayout[]
  isQueued: boolean
}

/** Compares a deposit address's unmatched money with the books, token by token. */
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

/** A received coin leaves no log: its balance can only be compared with the returns. */
function judgeCoin({ payment, known, movements, amount, returns }: Unmatched, { at }: Scope): JudgedToken {
  // A coin at the merchant's own address already belongs to the merchant.
  if (payment.isDirect) return { differences: [], notes: [], unwatched: 0n }
  const isUncounted = ({ txId }: Movement) =>
    !returns.some((one) => one.state === 'confirmed' && one.transactions.some((sent) => sent.txId === txId))
  const balance = known !== undefined && known.block <= at.number ? known.balance : 0n
  // A higher balance will be read by the service's next passes. A lower one can only be a return.
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
    differs('balance_differs', null, `the movements of ${token} add up to ${total}; the address holds ${amount}`)
  // The service measures the balance when it detects a transfer, and again only after another transfer.
  const measuredAt = known && known.block <= scope.at.number ? known.block : undefined
  if (known && measuredAt !== undefined && !payment.isDirect && known.balance !== sumUpTo(measuredAt)) {
    const last = movements.findLast(({ block }) => block <= measuredAt)
    const chain = `the chain had ${sumUpTo(measuredAt)} there`
    differs('unmatched_differs', last?.txId ?? null, `the books have ${known.balance} in block ${measuredAt}; ${chain}`)
  }
  for (const one of movements) {
    if (one.kind !== 'in' || one.block <= (known?.block ?? -1)) continue
    const chain = `the chain has ${one.amount} of ${token} in block ${one.block}`
    if (one.timeMs > watchedUntilMs(payment)) {
      judged.unwatched += one.amount
      const message = `${chain}, after the address's watch window; the late scan has not found it yet`
      judged.notes.push({ code: 'unwatched', paymentId, txId: one.txId, message })
    } else if (one.block <= (scope.unmatchedApplied ?? -1)) {
      differs('transfer_not_in_books', one.txId, `${chain}; the books do not have the transfer`)
    }
  }
  return judged
}
