import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { formatDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import type { AccountReading, Movement } from '../../chain/movements.ts'
import { watchAfterWindowMs } from '../../chain/watch-window.ts'
import { baseUnits } from '../../core/money.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { DepositPayment, Payment, UnmatchedTransfer } from '../../payment/payment.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { BookedPayout, PaymentBooks } from './books-store.ts'
import type { Scope } from './difference.ts'
import { judgePayment } from './judge-payment.ts'

const token = newPayment().tokenAddress
const otherToken = `0x${'77'.repeat(20)}`
const payer = `0x${'99'.repeat(20)}`
const [sweepTx, refundTx, oddTx] = ['5', '6', '7'].map((digit) => `0x${digit.repeat(64)}`) as [string, string, string]

const scope: Scope = {
  ...{ network: 'devnet', at: { number: 100, timeMs: 100_000 }, unmatchedApplied: 100, later: new Set() },
  isSameAddress: (one, other) => one.toLowerCase() === other.toLowerCase(),
}

const units = (amount: bigint) => baseUnits(String(amount))

/** A transfer in both the books and the chain. */
function paid(amount: bigint, changes: Partial<StoredTransfer> = {}) {
  const transfer: StoredTransfer = { ...transferOf(String(amount)), state: 'confirmed', isLate: false, ...changes }
  const { txId, logIndex, blockNumber: block, blockTimeMs: timeMs } = transfer
  const movement: Movement = { kind: 'in', token, txId, logIndex, block, timeMs, amount }
  return { transfer, movement }
}

const place = { token, logIndex: 0, block: 20, timeMs: 20_000 }

const settled = (merchantAmount: bigint, feeAmount: bigint, txId = sweepTx): Movement => ({
  ...{ ...place, kind: 'settled', txId, merchantAmount, feeAmount, isFeeParked: false },
})

const sentBack = (amount: bigint, changes: Partial<Movement> = {}): Movement =>
  ({ ...place, kind: 'sentBack', txId: refundTx, to: payer, amount, block: 30, timeMs: 30_000, ...changes }) as Movement

function booksOf(payment: Payment, more: Partial<PaymentBooks> = {}): PaymentBooks {
  return { payment, transfers: [], payouts: [], queued: [], readTo: undefined, ...more }
}

const sweepRow = (more: Partial<BookedPayout> = {}): BookedPayout => ({
  ...{ kind: 'sweep', network: 'devnet', token, address: null, amount: null, state: 'confirmed' },
  ...{ transactions: [{ txId: sweepTx, isOpen: false }], ...more },
})

const refundRow = (amount: bigint, more: Partial<BookedPayout> = {}): BookedPayout => ({
  ...{ kind: 'refund', network: 'devnet', token, address: payer, amount, state: 'confirmed' },
  ...{ transactions: [{ txId: refundTx, isOpen: false }], ...more },
})

const readingOf = (movements: Movement[], amount: bigint, more: Partial<AccountReading> = {}): AccountReading => ({
  ...{ movements, balances: [{ token, amount }], blocks: undefined, ...more },
})

const differences = (books: PaymentBooks, reading: AccountReading, changes: Partial<Scope> = {}) =>
  judgePayment(books, reading, { ...scope, ...changes }).differences.map(({ code, txId }) => [code, txId])

/** 25.00 was received and swept. */
function swept(changes: Partial<DepositPayment> = {}) {
  const { transfer, movement } = paid(25_000_000n)
  const sums = { seen: units(25_000_000n), received: units(25_000_000n) }
  const payment = newPayment({ ...sums, sweep: 'confirmed', status: 'swept', sweepTxId: sweepTx, ...changes })
  const books = booksOf(payment, { transfers: [transfer], payouts: [sweepRow()] })
  return { books, movements: [movement, settled(24_625_000n, 375_000n)] }
}

test('a payment whose account could not be read is a difference of its own, whatever its books say', () => {
  const payment = newPayment({ status: 'completed', received: units(25_000_000n) })
  const reading: AccountReading = { movements: [], balances: [], blocks: new Map(), unread: 'too many to read' }
  const unread = { code: 'not_compared', paymentId: payment.id, txId: null, message: 'too many to read' }
  const judged = judgePayment(booksOf(payment), reading, scope)
  expect(judged).toEqual({ differences: [unread], notes: [], holdings: [], entries: [] })
})

test('a swept deposit matches between books and chain', () => {
  const { books, movements } = swept()
  const judged = judgePayment(books, readingOf(movements, 0n), scope)
  expect(judged).toMatchObject({ differences: [], notes: [] })
  expect(judged.holdings).toEqual([{ token, onItsWay: 0n, unmatched: 0n, stillThere: 0n }])
  const wrong = { ...books, payment: { ...books.payment, status: 'pending' as const } }
  expect(differences(wrong, readingOf(movements, 0n))).toEqual([['status_differs', null]])
})

test('of what is left of a settled deposit, a queued refund is on its way, up to what is there', () => {
  const { transfer, movement } = paid(30_000_000n)
  const sums = { seen: units(30_000_000n), received: units(30_000_000n), refundAddress: payer }
  const { books, movements } = swept(sums)
  const gone: Movement = { ...place, kind: 'gone', txId: oddTx, amount: 2_000_000n }
  const reading = readingOf([movement, ...movements.slice(1), gone], 3_000_000n)
  const queued = [{ kind: 'refund' as const, network: 'devnet', token }]
  const left = { ...books, transfers: [transfer] }
  const all = { onItsWay: 3_000_000n, stillThere: 0n }
  expect(judgePayment({ ...left, queued }, reading, scope).holdings).toMatchObject([all])
  expect(judgePayment(left, reading, scope).holdings).toMatchObject([{ onItsWay: 0n, stillThere: 3_000_000n }])
})

test('money that waits for confirmations or its sweep is pending, and the rest is still there', () => {
  const open = paid(25_000_000n, { state: 'seen' })
  const waiting = booksOf(newPayment({ seen: units(25_000_000n) }), { transfers: [open.transfer] })
  expect(judgePayment(waiting, readingOf([open.movement], 25_000_000n), scope)).toMatchObject({
    differences: [],
    holdings: [{ onItsWay: 25_000_000n, stillThere: 0n }],
  })
  const { transfer, movement } = paid(30_000_000n)
  const sums = { seen: units(30_000_000n), received: units(30_000_000n) }
  const queued = [{ kind: 'sweep' as const, network: 'devnet', token }]
  const due = booksOf(newPayment({ ...sums, sweep: 'queued', status: 'sweeping' }), { transfers: [transfer], queued })
  expect(judgePayment(due, readingOf([movement], 30_000_000n), scope)).toMatchObject({
    differences: [],
    holdings: [{ onItsWay: 25_000_000n, stillThere: 5_000_000n }],
  })
  expect(differences({ ...due, queued: [] }, readingOf([movement], 30_000_000n))).toEqual([['status_differs', null]])
})

test('what is on its way is never more than what is there', () => {
  const { transfer, movement } = paid(25_000_000n)
  const more = paid(5_000_000n, { state: 'seen' })
  const sums = { seen: units(30_000_000n), received: units(25_000_000n) }
  const queued = [{ kind: 'sweep' as const, network: 'devnet', token }]
  const paidFor = newPayment({ ...sums, sweep: 'queued', status: 'sweeping' })
  const due = booksOf(paidFor, { transfers: [transfer, more.transfer], queued })
  const held = (amount: bigint) => judgePayment(due, readingOf([movement, more.movement], amount), scope).holdings
  expect(held(30_000_000n)).toMatchObject([{ onItsWay: 30_000_000n, stillThere: 0n }])
  expect(held(28_000_000n)).toMatchObject([{ onItsWay: 28_000_000n, stillThere: 0n }])
  expect(held(4_000_000n)).toMatchObject([{ onItsWay: 4_000_000n, stillThere: 0n }])
  const unpaid = booksOf(newPayment({ seen: units(5_000_000n) }), { transfers: [more.transfer] })
  const [holding] = judgePayment(unpaid, readingOf([more.movement], 4_000_000n), scope).holdings
  expect(holding).toMatchObject({ onItsWay: 4_000_000n, stillThere: 0n })
})

test('a transfer matches in amount, block and time, once', () => {
  const { books, movements } = swept()
  const [movement] = movements as [Extract<Movement, { kind: 'in' }>, Movement]
  for (const changed of [{ amount: 25_000_001n }, { block: 11 }, { timeMs: 10_001 }]) {
    const reading = readingOf([{ ...movement, ...changed }, ...movements.slice(1)], 'amount' in changed ? 1n : 0n)
    expect(differences(books, reading)).toEqual([['transfer_differs', movement.txId]])
  }
  const late = { ...books, transfers: books.transfers.map((one) => ({ ...one, isLate: true })) }
  expect(differences(late, readingOf(movements, 0n)).map(([code]) => code)).toEqual([
    ...['sum_differs', 'sum_differs', 'sum_differs', 'transfer_differs'],
  ])
  expect(differences(books, readingOf([], 0n))).toEqual([
    ['transfer_not_on_chain', movement.txId],
    ['sweep_not_on_chain', sweepTx],
  ])
})

test('records of later blocks are skipped', () => {
  const { transfer } = paid(4n)
  const sums = { seen: units(4n), received: units(4n) }
  const booksAt = (blockNumber: number) => booksOf(newPayment(sums), { transfers: [{ ...transfer, blockNumber }] })
  expect(differences(booksAt(101), readingOf([], 0n))).toEqual([])
  expect(differences(booksAt(100), readingOf([], 0n))).toEqual([['transfer_not_on_chain', transfer.txId]])
  const { books, movements } = swept()
  const unsettled = readingOf(movements.slice(0, 1), 25_000_000n)
  expect(differences(books, unsettled)).toEqual([['sweep_not_on_chain', sweepTx]])
  expect(differences(books, unsettled, { later: new Set([sweepTx]) })).toEqual([])
  // A reorg has undone the settlement: its transaction is sent again.
  const open = sweepRow({ transactions: [{ txId: sweepTx, isOpen: true }] })
  expect(differences({ ...books, payouts: [open] }, unsettled)).toEqual([])
})

test('a transfer undone by a reorg is in neither', () => {
  const { transfer } = paid(25_000_000n, { state: 'reverted' })
  expect(differences(booksOf(newPayment(), { transfers: [transfer] }), readingOf([], 0n))).toEqual([])
  const { movement } = paid(25_000_000n)
  const reading = readingOf([movement], 25_000_000n)
  expect(differences(booksOf(newPayment(), { transfers: [transfer] }), reading)).toEqual([
    ['transfer_not_in_books', transfer.txId],
  ])
})

test('money received after the watch window is a note, not a difference', () => {
  const timeMs = windowEndsAtMs + watchAfterWindowMs + 1
  const { movement } = paid(7n)
  const expired = newPayment({ status: 'expired', windowEnded: true })
  const judged = judgePayment(booksOf(expired), readingOf([{ ...movement, timeMs }], 7n), scope)
  expect(judged).toMatchObject({ differences: [], notes: [{ code: 'unwatched' }], holdings: [{ stillThere: 7n }] })
  expect(differences(booksOf(expired), readingOf([{ ...movement, timeMs: timeMs - 1 }], 7n))).toEqual([
    ['transfer_not_in_books', movement.txId],
  ])
})

test('where a family reads account by account, a transfer after the account’s cursor is pending', () => {
  const { movement } = paid(7n)
  const blocks = new Map([
    ['read', 9],
    [movement.txId, movement.block],
  ])
  const reading = readingOf([movement], 7n, { blocks })
  const books = (readTo: string | null | undefined) => booksOf(newPayment(), { readTo })
  for (const readTo of [undefined, null, 'read', 'forgotten']) expect(differences(books(readTo), reading)).toEqual([])
  expect(differences(books(movement.txId), reading)).toEqual([['transfer_not_in_books', movement.txId]])
})

test('anyone may settle: a settlement is a note if the books have it, pending while it is searched for, and otherwise a difference', () => {
  const { books, movements } = swept()
  const external = { ...books, payouts: [] }
  expect(judgePayment(external, readingOf(movements, 0n), scope)).toMatchObject({
    differences: [],
    notes: [{ code: 'external_settlement', txId: sweepTx }],
  })
  const sums = { seen: units(25_000_000n), received: units(25_000_000n) }
  const payment = newPayment({ ...sums, sweep: 'queued', status: 'sweeping' })
  const transfers = books.transfers
  const queued = [{ kind: 'sweep' as const, network: 'devnet', token }]
  const open = sweepRow({ state: 'sent', transactions: [{ txId: sweepTx, isOpen: true }] })
  expect(differences(booksOf(payment, { transfers, queued }), readingOf(movements, 0n))).toEqual([])
  expect(differences(booksOf(payment, { transfers, payouts: [open] }), readingOf(movements, 0n))).toEqual([])
  expect(differences(booksOf(payment, { transfers }), readingOf(movements, 0n))).toEqual([
    ['sweep_not_in_books', sweepTx],
  ])
  const another = sweepRow({ state: 'sent', transactions: [{ txId: oddTx, isOpen: true }] })
  expect(differences(booksOf(payment, { transfers, payouts: [another] }), readingOf(movements, 0n))).toEqual([
    ['sweep_not_in_books', sweepTx],
  ])
  // A high-value payment waits for more confirmations than the compared block has.
  const waiting = booksOf(newPayment({ seen: units(25_000_000n) }), {
    transfers: transfers.map((one) => ({ ...one, state: 'seen' as const })),
  })
  expect(differences(waiting, readingOf(movements, 0n))).toEqual([])
  const otherwise = swept({ sweepTxId: oddTx })
  expect(differences(otherwise.books, readingOf(movements, 0n))).toEqual([['payout_differs', sweepTx]])
})

test('a refund matches in its sum, amount and address', () => {
  const { transfer, movement } = paid(30_000_000n)
  const sums = { seen: units(30_000_000n), received: units(30_000_000n), refundAddress: payer }
  const { books, movements } = swept({ ...sums, refunded: units(5_000_000n), refundTxId: refundTx })
  const came = [movement, ...movements.slice(1)]
  const transfers = [transfer]
  const whole = readingOf([...came, sentBack(5_000_000n)], 0n)
  const withRefund = (...rows: BookedPayout[]) => ({ ...books, transfers, payouts: [sweepRow(), ...rows] })
  expect(differences(withRefund(refundRow(5_000_000n)), whole)).toEqual([])
  expect(differences(withRefund(), whole)).toEqual([
    ['refund_not_in_books', refundTx],
    ['sum_differs', null],
  ])
  expect(differences(withRefund(refundRow(5_000_000n)), readingOf(came, 5_000_000n))).toEqual([
    ['refund_not_on_chain', refundTx],
  ])
  expect(differences(withRefund(refundRow(5_000_000n, { address: otherToken })), whole)).toEqual([
    ['payout_differs', refundTx],
  ])
  expect(differences(withRefund(refundRow(4_000_000n)), whole)).toEqual([
    ['payout_differs', refundTx],
    ['sum_differs', null],
  ])
  const open = { transactions: [{ txId: refundTx, isOpen: true }] }
  const uncounted = swept({ ...sums }).books
  const sent = { ...uncounted, transfers, payouts: [sweepRow(), refundRow(5_000_000n, { state: 'sent', ...open })] }
  expect(differences(sent, whole)).toEqual([])
  const givenUp = { ...sent, payouts: [sweepRow(), refundRow(5_000_000n, { state: 'sent' })] }
  expect(differences(givenUp, whole)).toEqual([['refund_not_in_books', refundTx]])
  const later = new Set([refundTx])
  expect(differences(withRefund(refundRow(5_000_000n)), readingOf(came, 5_000_000n), { later })).toEqual([])
  // A reorg has undone a counted refund: it is sent again.
  expect(differences(withRefund(refundRow(5_000_000n, open)), readingOf(came, 5_000_000n))).toEqual([])
  // For a refund to the merchant's own wallet, a chain family without contracts does not show what it was.
  const looksSettled = settled(5_000_000n, 0n, refundTx)
  const merchantRefund = withRefund(refundRow(5_000_000n, { address: payer }))
  for (const split of [looksSettled, settled(4_000_000n, 1_000_000n, refundTx)])
    expect(differences(merchantRefund, readingOf([...came, split], 0n))).toEqual([])
})

test('a refund to the platform’s own wallet is a refund, not a share of the platform', () => {
  const { transfer, movement } = paid(30_000_000n)
  const sums = { seen: units(30_000_000n), received: units(30_000_000n), refundAddress: payer }
  const { books, movements } = swept({ ...sums, refunded: units(5_000_000n), refundTxId: refundTx })
  const feePaid = (amount: bigint): Movement => ({ ...place, kind: 'feePaid', txId: refundTx, amount, block: 30 })
  const readingWith = (amount: bigint) =>
    readingOf([movement, ...movements.slice(1), feePaid(amount)], 5_000_000n - amount)
  const booksWith = (row: BookedPayout) => ({ ...books, transfers: [transfer], payouts: [sweepRow(), row] })
  const refund = refundRow(5_000_000n)
  expect(differences(booksWith(refund), readingWith(5_000_000n))).toEqual([])
  expect(differences(booksWith(refund), readingWith(4_000_000n))).toEqual([['payout_differs', refundTx]])
  const fee = { ...refund, transactions: [{ txId: oddTx, isOpen: false }] }
  expect(differences(booksWith(fee), readingWith(5_000_000n)), 'a share').toEqual([['refund_not_on_chain', oddTx]])
})

test('an unexplained withdrawal and an unexplained balance are differences', () => {
  const { books, movements } = swept()
  const gone: Movement = { ...place, kind: 'gone', txId: oddTx, amount: 1n }
  expect(differences(books, readingOf([...movements, gone], -1n))).toEqual([['left_unexplained', oddTx]])
  for (const amount of [3n, -3n])
    expect(differences(books, readingOf(movements, amount))).toEqual([['balance_differs', null]])
})

test('a deposit without a known balance holds nothing, and a balance without movements is still there', () => {
  const { transfer, movement } = paid(7n)
  const books = booksOf(newPayment({ seen: units(7n), received: units(7n) }), { transfers: [transfer] })
  expect(differences(books, readingOf([movement], 0n, { balances: [] }))).toEqual([['balance_differs', null]])
  const judged = judgePayment(booksOf(newPayment()), readingOf([], 5n), scope)
  expect(judged.differences).toMatchObject([{ code: 'balance_differs' }])
  expect(judged.holdings).toEqual([{ token, onItsWay: 0n, unmatched: 0n, stillThere: 5n }])
  expect(judgePayment(booksOf(newPayment()), readingOf([], 0n), scope).holdings).toEqual([])
})

test('a settlement of a deposit whose transfer a reorg undid is not in the books', () => {
  const { transfer } = paid(25_000_000n, { state: 'reverted' })
  const reading = readingOf([settled(24_625_000n, 375_000n)], -25_000_000n)
  expect(differences(booksOf(newPayment(), { transfers: [transfer] }), reading)).toEqual([
    ['sweep_not_in_books', sweepTx],
  ])
})

test('money at an address of the merchant’s own wallet has arrived, whatever the merchant does with it', () => {
  const { transfer, movement } = paid(25_000_000n)
  const sums = { seen: units(25_000_000n), received: units(25_000_000n), status: 'swept' as const }
  const books = booksOf(newPayment({ ...sums, isDirect: true }), { transfers: [transfer] })
  const spent: Movement = { ...place, kind: 'gone', txId: oddTx, amount: 20_000_000n }
  const judged = judgePayment(books, readingOf([movement, spent], 5_000_000n), scope)
  expect(judged).toMatchObject({ differences: [], notes: [] })
  expect(judged.holdings).toEqual([{ token, onItsWay: 0n, unmatched: 0n, stillThere: 0n }])
  const arrived = { kind: 'settled', merchantAmount: 25_000_000n, feeAmount: 0n, txId: transfer.txId }
  expect(judged.entries).toMatchObject([{ movement }, { movement: arrived }])
})

test('a wallet payment matches, and a second transaction without a contract is a note', () => {
  const { transfer, movement } = paid(25_000_000n)
  const sums = { seen: units(25_000_000n), received: units(25_000_000n), status: 'completed' as const }
  const books = booksOf(newContractPayment(sums), { transfers: [transfer] })
  const split = settled(24_625_000n, 375_000n, transfer.txId)
  const reading = readingOf([movement, split], 0n, { balances: [] })
  expect(differences(books, reading)).toEqual([])
  expect(differences(booksOf(newContractPayment()), reading)).toEqual([['transfer_not_in_books', transfer.txId]])
  const again = { ...movement, txId: oddTx }
  const twice = { ...reading, movements: [movement, split, again, { ...split, txId: oddTx }] }
  expect(differences(books, twice)).toEqual([['transfer_not_in_books', oddTx]])
  expect(judgePayment(books, { ...twice, blocks: new Map() }, scope)).toMatchObject({
    differences: [],
    notes: [{ code: 'paid_again', txId: oddTx }],
  })
})

const unmatchedOf = (changes: Partial<UnmatchedTransfer> = {}): UnmatchedTransfer => ({
  ...{
    network: 'devnet',
    token: otherToken,
    currency: 'USDT',
    decimals: 6,
    balance: units(9n),
    block: 15,
    refunded: units(0n),
  },
  ...{ txId: oddTx, notifications: 1, refund: 'none', refundReason: null, address: null, refundTxId: null, ...changes },
})

test('an unmatched transfer matches the balance at its measurement', () => {
  const came: Movement = { ...place, kind: 'in', token: otherToken, txId: oddTx, amount: 9n, block: 15 }
  const reading = readingOf([came], 0n, {
    balances: [
      { token, amount: 0n },
      { token: otherToken, amount: 9n },
    ],
  })
  const books = (unmatched: UnmatchedTransfer[], more: Partial<PaymentBooks> = {}) =>
    booksOf(newPayment({ unmatched }), more)
  const judged = judgePayment(books([unmatchedOf()]), reading, scope)
  expect(judged).toMatchObject({ differences: [], holdings: [{ token: otherToken, unmatched: 9n }] })
  expect(differences(books([unmatchedOf({ balance: units(8n) })]), reading)).toEqual([['unmatched_differs', oddTx]])
  expect(differences(books([]), reading)).toEqual([['transfer_not_in_books', oddTx]])
  // The service has not read that block yet.
  expect(differences(books([]), reading, { unmatchedApplied: 14 })).toEqual([])
  const newest = { at: { number: 15, timeMs: 15_000 }, unmatchedApplied: 15 }
  expect(differences(books([]), reading, newest)).toEqual([['transfer_not_in_books', oddTx]])
  const queued = [{ kind: 'return' as const, network: 'devnet', token: otherToken }]
  expect(judgePayment(books([unmatchedOf()], { queued }), reading, scope).holdings).toMatchObject([{ onItsWay: 9n }])

  const returned = sentBack(9n, { token: otherToken })
  const empty = { ...reading, movements: [came, returned], balances: [] }
  const row = refundRow(9n, { kind: 'return', token: otherToken })
  const gone = unmatchedOf({ balance: units(0n), refunded: units(9n), block: 30 })
  expect(differences(books([gone], { payouts: [row] }), empty)).toEqual([])
  expect(differences(books([gone]), empty)).toEqual([
    ['return_not_in_books', refundTx],
    ['sum_differs', null],
  ])
})

test('on another network all money at the address is unmatched, also in the payment’s token', () => {
  const came: Movement = { ...place, kind: 'in', token, txId: oddTx, amount: 9n, block: 15 }
  const unmatched = [unmatchedOf({ network: 'devnet-b', token })]
  const books = booksOf(newPayment({ unmatched, seen: units(3n) }))
  const judged = judgePayment(books, readingOf([came], 9n), { ...scope, network: 'devnet-b' })
  expect(judged).toMatchObject({ differences: [], holdings: [{ token, unmatched: 9n, onItsWay: 0n }] })
})

test('coins are compared by balance: more is still to be read, less can only be an unrecorded withdrawal', () => {
  const coin = (balance: bigint) =>
    unmatchedOf({ token: coinAddress, currency: 'ETH', decimals: 18, balance: units(balance) })
  const books = (balance: bigint) => booksOf(newPayment({ unmatched: [coin(balance)] }))
  const reading = (amount: bigint) => readingOf([], 0n, { balances: [{ token: coinAddress, amount }] })
  expect(differences(books(5n), reading(5n))).toEqual([])
  expect(differences(books(5n), reading(6n))).toEqual([])
  expect(differences(books(5n), reading(4n))).toEqual([['unmatched_differs', null]])
  // Measured in a later block: the difference may come from after the compared block.
  expect(differences(books(5n), reading(4n), { at: { number: 14, timeMs: 14_000 } })).toEqual([])
})

test('the books have the swept amount, which is less than the received amount if the rest arrived afterwards', () => {
  const { books, movements } = swept({ sweptAmount: units(24_000_000n), depositTerms: termsOfFee(150) })
  const [movement] = movements as [Movement, Movement]
  const paidOut = (merchantAmount: bigint, feeAmount: bigint) => [movement, settled(merchantAmount, feeAmount)]
  expect(differences(books, readingOf(paidOut(23_640_000n, 360_000n), 1_000_000n))).toEqual([])
  expect(differences(books, readingOf(paidOut(24_625_000n, 375_000n), 0n))).toEqual([['payout_differs', sweepTx]])
  expect(differences(books, readingOf(paidOut(23_640_000n, 360_001n), 999_999n))).toEqual([['payout_differs', sweepTx]])
  // A parked platform share is still at the address.
  expect(differences(books, readingOf(paidOut(23_640_000n, 0n), 1_360_000n))).toEqual([])
  expect(differences(books, readingOf(paidOut(23_640_001n, 0n), 1_359_999n))).toEqual([['payout_differs', sweepTx]])
})

const termsOfFee = (feeBps: number) =>
  formatDepositTerms({
    ...{ chainId: 1, token: payer, amount: 25_000_000n, least: 24_000_000n, merchant: payer, platform: payer, feeBps },
    ...{ deadlineSeconds: 900, operator: payer, factory: payer, salt: `0x${'07'.repeat(32)}` },
  } as Parameters<typeof formatDepositTerms>[0])
