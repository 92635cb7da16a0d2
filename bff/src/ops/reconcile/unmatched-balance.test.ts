import { newContractPayment, newPayment, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { Balance, Movement } from '../../chain/movements.ts'
import { watchAfterWindowMs } from '../../chain/watch-window.ts'
import { baseUnits } from '../../core/money.ts'
import type { DepositPayment, Payment, UnmatchedTransfer } from '../../payment/payment.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { BookedPayout, PaymentBooks } from './books-store.ts'
import type { Scope } from './difference.ts'
import { judgeUnmatched } from './judge-unmatched.ts'

const token = `0x${'77'.repeat(20)}`
const txId = `0x${'7'.repeat(64)}`
const returnTx = `0x${'6'.repeat(64)}`
const place = { token, txId, logIndex: 0, block: 15, timeMs: 15_000 }
const came = (changes: Partial<Movement> = {}) => ({ ...place, kind: 'in', amount: 9n, ...changes }) as Movement
const sentBack = (amount: bigint, changes: Partial<Movement> = {}) =>
  ({ ...place, kind: 'sentBack', to: 'payer', txId: returnTx, block: 20, amount, ...changes }) as Movement

const units = (amount: bigint) => baseUnits(String(amount))
const known = (changes: Partial<UnmatchedTransfer> = {}): UnmatchedTransfer => ({
  ...{ network: 'devnet', token, currency: 'USDT', decimals: 6, balance: units(9n), block: 15, refunded: units(0n) },
  ...{ txId, notifications: 1, refund: 'none', refundReason: null, address: null, refundTxId: null, ...changes },
})
const returned = (amount: bigint, changes: Partial<BookedPayout> = {}): BookedPayout => ({
  ...{ kind: 'return', network: 'devnet', token, address: 'payer', amount, state: 'confirmed' },
  ...{ transactions: [{ txId: returnTx, isOpen: false }], ...changes },
})

type Given = {
  payment?: Payment
  books?: Partial<PaymentBooks>
  movements?: Movement[]
  balances?: Balance[]
  scope?: Partial<Scope>
}

function judge({ payment = newPayment(), books, movements = [], balances = [], scope }: Given) {
  return judgeUnmatched(
    { payment, transfers: [], payouts: [], queued: [], readTo: undefined, ...books },
    { movements, balances, blocks: undefined },
    {
      ...{ network: 'devnet', at: { number: 100, timeMs: 100_000 }, unmatchedApplied: 14, later: new Set() },
      isSameAddress: (one, other) => one === other,
      ...scope,
    },
  )
}

const codes = (given: Given) => judge(given).differences.map(({ code, txId }) => [code, txId])
const withBooks = (...unmatched: UnmatchedTransfer[]) => newPayment({ unmatched })

/** Nine units arrived that the service has not read yet, and the address holds this balance. */
const differences = (amount: bigint) =>
  judge({ movements: [came()], balances: [{ token, amount }] }).differences.map(({ code, message }) => [code, message])

test.each([8n, 10n])(
  'movements of an unmatched token must equal the balance, neither less nor more: %s of 9',
  (amount) => {
    expect(differences(9n)).toEqual([])
    expect(differences(amount)).toEqual([
      ['balance_differs', `the movements of ${token} add up to 9; the address holds ${amount}`],
    ])
  },
)

test('a token is compared that only the books, the movements or the balances have', () => {
  expect(codes({ payment: withBooks(known()) })).toEqual([['unmatched_differs', null]])
  expect(codes({ movements: [came()] })).toEqual([['balance_differs', null]])
  expect(codes({ balances: [{ token, amount: 9n }] })).toEqual([['balance_differs', null]])
  expect(judge({})).toEqual({ differences: [], notes: [], holdings: [], entries: [] })
})

test('a wallet payment has no address, so nothing there is unmatched', () => {
  const payment = newContractPayment()
  const nothing = { differences: [], notes: [], holdings: [], entries: [] }
  expect(judge({ payment, movements: [came()] })).toEqual(nothing)
})

test('the payment’s token at home is no unmatched token', () => {
  const { tokenAddress } = newPayment()
  const home = { movements: [came({ token: tokenAddress })], balances: [{ token: tokenAddress, amount: 1n }] }
  expect(judge(home).entries).toEqual([])
  expect(judge({ ...home, scope: { network: 'devnet-b' } }).entries).toHaveLength(1)
})

test('of the same token on another network, neither the books nor a return count here', () => {
  const elsewhere = known({ network: 'devnet-b', balance: units(4n) })
  const balances = [{ token, amount: 9n }]
  expect(codes({ payment: withBooks(elsewhere), movements: [came()], balances })).toEqual([])
  const row = returned(9n, { network: 'devnet-b' })
  const queued = [{ kind: 'return' as const, network: 'devnet-b', token }]
  const books = { payouts: [row], queued }
  const judged = judge({ payment: withBooks(known()), books, movements: [came()], balances })
  expect(judged).toMatchObject({ differences: [], holdings: [{ unmatched: 9n, onItsWay: 0n }] })
  const refund = {
    ...books,
    payouts: [returned(9n, { kind: 'refund' })],
    queued: [{ ...queued[0], network: 'devnet', kind: 'refund' }],
  }
  expect(judge({ payment: withBooks(known()), books: refund as never, movements: [came()], balances })).toMatchObject({
    ...{ differences: [], holdings: [{ unmatched: 9n, onItsWay: 0n }] },
  })
})

test('the measured balance is that of its block, with the movements of that block and none after it', () => {
  const later = came({ block: 16, txId: returnTx, amount: 2n })
  const balances = [{ token, amount: 11n }]
  const movements = [came(), later]
  expect(codes({ payment: withBooks(known()), movements, balances })).toEqual([])
  const payment = withBooks(known({ balance: units(11n), block: 16 }))
  expect(codes({ payment, movements, balances })).toEqual([])
  const wrong = withBooks(known({ balance: units(8n), block: 16 }))
  expect(codes({ payment: wrong, movements, balances })).toEqual([['unmatched_differs', returnTx]])
  // The books of a later block than the compared one say nothing about it.
  const at = { number: 16, timeMs: 16_000 }
  const ahead = withBooks(known({ balance: units(1n), block: 17 }))
  expect(codes({ payment: ahead, movements, balances, scope: { at } })).toEqual([])
  expect(codes({ payment: { ...wrong, isDirect: true } as DepositPayment, movements, balances })).toEqual([])
})

test('money after the watch window is still there and only noted, each transfer of it', () => {
  const end = windowEndsAtMs + watchAfterWindowMs
  const [first, second] = [came({ timeMs: end + 1 }), came({ timeMs: end + 1, txId: returnTx, amount: 2n })]
  const scope = { unmatchedApplied: 100 }
  const judged = judge({ movements: [first, second], balances: [{ token, amount: 11n }], scope })
  expect(judged.differences).toEqual([])
  expect(judged.notes.map(({ code }) => code)).toEqual(['unwatched', 'unwatched'])
  expect(judged.holdings).toEqual([{ token, onItsWay: 0n, unmatched: 0n, stillThere: 11n }])
  const inTime = { movements: [came({ timeMs: end })], balances: [{ token, amount: 9n }], scope }
  expect(codes(inTime)).toEqual([['transfer_not_in_books', txId]])
})

test('an emptied address still has its line, and what was sent back is no arrival', () => {
  const movements = [came(), sentBack(9n)]
  const payment = withBooks(known({ balance: units(0n), refunded: units(9n), block: 20 }))
  const judged = judge({ payment, movements, books: { payouts: [returned(9n)] } })
  expect(judged).toMatchObject({ differences: [], holdings: [{ token, onItsWay: 0n, unmatched: 0n, stillThere: 0n }] })
  const unread = withBooks(known({ refunded: units(9n) }))
  const scope = { unmatchedApplied: 100 }
  expect(codes({ payment: unread, movements, books: { payouts: [returned(9n)] }, scope })).toEqual([])
})

test('a coin’s balance may be less by a return that the books do not count yet, at the merchant’s own address by anything', () => {
  const coin = known({ token: coinAddress, currency: 'ETH', decimals: 18, balance: units(5n) })
  const balances = [{ token: coinAddress, amount: 1n }]
  const movements = [sentBack(4n, { token: coinAddress })]
  const row = (state: BookedPayout['state'], isOpen: boolean) =>
    returned(4n, { token: coinAddress, state, transactions: [{ txId: returnTx, isOpen }] })
  const payment = withBooks(coin)
  expect(codes({ payment, balances, movements, books: { payouts: [row('sent', true)] } })).toEqual([])
  const counted = withBooks({ ...coin, refunded: units(4n) })
  expect(codes({ payment: counted, balances, movements, books: { payouts: [row('confirmed', false)] } })).toEqual([
    ['unmatched_differs', null],
  ])
  expect(codes({ payment, balances })).toEqual([['unmatched_differs', null]])
  expect(codes({ payment: { ...payment, isDirect: true }, balances })).toEqual([])
})
