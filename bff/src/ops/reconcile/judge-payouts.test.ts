import { expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import type { BookedPayout } from './books-store.ts'
import { judgeSentBack, type SentBack } from './judge-payouts.ts'

const paymentId = 'payment 1' as PaymentId

const booked = (amount: bigint, txIds: string[], changes: Partial<BookedPayout> = {}): BookedPayout => ({
  ...{ kind: 'refund', network: 'devnet', token: 'token', address: '0xPayer', amount, state: 'confirmed' },
  ...{ transactions: txIds.map((txId) => ({ txId, isOpen: false })), ...changes },
})

const sent = (amount: bigint, txId: string, to = '0xpayer'): SentBack => ({
  ...{ kind: 'sentBack', token: 'token', txId, logIndex: 0, block: 30, timeMs: 30_000, amount, to },
})

function judge(counted: bigint, rows: BookedPayout[], onChain: SentBack[], later: string[] = []) {
  const scope = {
    later: new Set(later),
    isSameAddress: (one: string, other: string) => one.toLowerCase() === other.toLowerCase(),
  }
  const books = { paymentId, kind: 'refund' as const, booked: rows, counted }
  return judgeSentBack(books, onChain, scope).map(({ code, txId }) => [code, txId])
}

test('several refunds match one by one, and add up to what the payment counts, neither less nor more', () => {
  const rows = [booked(5n, ['a']), booked(3n, ['b'])]
  const onChain = [sent(5n, 'a'), sent(3n, 'b')]
  expect(judge(8n, rows, onChain)).toEqual([])
  expect([judge(7n, rows, onChain), judge(9n, rows, onChain)]).toEqual(Array(2).fill([['sum_differs', null]]))
  expect(judge(8n, rows, [sent(5n, 'a')])).toEqual([['refund_not_on_chain', 'b']])
  expect(judge(8n, rows, [sent(5n, 'a'), sent(2n, 'b')])).toEqual([['payout_differs', 'b']])
})

test('of the versions of a refund one is on the chain; where none is, the newest is missing', () => {
  const row = booked(5n, ['first', 'second'])
  for (const txId of ['first', 'second']) expect(judge(5n, [row], [sent(5n, txId)])).toEqual([])
  expect(judge(5n, [row], [], ['first'])).toEqual([])
  expect(judge(5n, [row], [])).toEqual([['refund_not_on_chain', 'second']])
})

test('a refund that is not confirmed in the books is in no sum', () => {
  const open = booked(5n, [], { state: 'sent', transactions: [{ txId: 'a', isOpen: true }] })
  expect(judge(0n, [open], [sent(5n, 'a')])).toEqual([])
  expect(judge(0n, [{ ...open, state: 'failed' }], [sent(5n, 'a')])).toEqual([['refund_not_in_books', 'a']])
  expect(judge(0n, [booked(5n, ['a'], { state: 'sent' })], [])).toEqual([])
})
