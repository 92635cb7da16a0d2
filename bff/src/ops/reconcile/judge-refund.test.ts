import { expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import { judgeRefund } from './judge-refund.ts'
import type { RefundBooks } from './refund-books-store.ts'

const { signal: never } = new AbortController()

test('a refund whose account could not be read is a difference', async () => {
  const paymentId = 'payment 1' as PaymentId
  const books: RefundBooks = {
    account: {
      number: 1,
      id: 'refund 1' as PaymentId,
      mode: 'refund',
      network: 'solana',
      place: 'reference',
      token: 'mint',
      splitter: null,
      terms: 'customer',
      createdAtMs: 0,
    },
    isNamed: true,
    paymentId,
    seen: 0n,
    paid: 0n,
    endedAtMs: null,
    transfers: [],
  }
  const reading = { movements: [], balances: [], blocks: new Map(), unread: 'too many to read' }
  const reader = { at: { number: 1, hash: '1', parentHash: '', timeMs: 0 }, transferOf: async () => undefined }
  expect(await judgeRefund(books, reading, reader, never)).toEqual({
    differences: [{ code: 'not_compared', paymentId, txId: null, message: 'refund refund 1: too many to read' }],
    notes: [],
  })
})
