import { transferOf } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { AccountReading, Movement } from '../../chain/movements.ts'
import { watchAfterWindowMs } from '../../chain/watch-window.ts'
import { baseUnits } from '../../core/money.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { judgeRefund } from './judge-refund.ts'
import type { RefundBooks } from './refund-books-store.ts'

const { signal: never } = new AbortController()
const paymentId = 'payment 1' as PaymentId
const minuteMs = 60_000

const account: RefundBooks['account'] = {
  number: 1,
  id: 'refund 1' as PaymentId,
  mode: 'refund',
  network: 'solana',
  place: 'reference',
  token: 'mint',
  splitter: null,
  terms: 'customer',
  createdAtMs: 0,
}

/** A confirmed transfer of 7 in block 10, as the books have it. */
const transfer: StoredTransfer = { ...transferOf('7'), state: 'confirmed', isLate: false }

/** The same as the chain has it. */
const movementAt = (changes: Partial<Movement> = {}) =>
  ({
    kind: 'in',
    token: 'mint',
    txId: transfer.txId,
    logIndex: 0,
    block: 10,
    timeMs: 10_000,
    amount: 7n,
    ...changes,
  }) as Movement

const booksOf = (transfers: StoredTransfer[], changes: Partial<RefundBooks> = {}): RefundBooks => ({
  ...{ account, isNamed: true, paymentId, endedAtMs: null, transfers },
  ...{ seen: transfers.length === 0 ? 0n : 7n, paid: transfers.length === 0 ? 0n : 7n, ...changes },
})

const at = { number: 100, hash: '100', parentHash: '', timeMs: 1_000 * minuteMs }

/** @param found - What the chain has under the transfer of the books. */
async function judge(
  books: RefundBooks,
  reading: Partial<AccountReading> = {},
  found: { block: number; amount: bigint } | undefined = { block: 10, amount: 7n },
) {
  const read = { movements: [], balances: [], blocks: undefined, ...reading }
  const { differences, notes } = await judgeRefund(books, read, { at, transferOf: async () => found }, never)
  return [...differences, ...notes].map(({ code, txId }) => [code, txId])
}

test('a refund whose account could not be read is a difference', async () => {
  const reading = { movements: [], balances: [], blocks: new Map(), unread: 'too many to read' }
  const reader = { at: { number: 1, hash: '1', parentHash: '', timeMs: 0 }, transferOf: async () => undefined }
  expect(await judgeRefund(booksOf([]), reading, reader, never)).toEqual({
    differences: [{ code: 'not_compared', paymentId, txId: null, message: 'refund refund 1: too many to read' }],
    notes: [],
  })
})

test('a transfer of the books is on the chain in its block and amount, up to the compared block', async () => {
  expect(await judge(booksOf([transfer]), { movements: [movementAt()] })).toEqual([])
  for (const found of [
    { block: 11, amount: 7n },
    { block: 10, amount: 6n },
  ])
    expect(await judge(booksOf([transfer]), {}, found)).toEqual([['transfer_differs', transfer.txId]])
  const reader = (transferOfChain: undefined) => ({ at, transferOf: async () => transferOfChain })
  const lost = async (blockNumber: number) => {
    const books = booksOf([{ ...transfer, blockNumber }])
    const reading = { movements: [], balances: [], blocks: undefined }
    return (await judgeRefund(books, reading, reader(undefined), never)).differences.map(({ code }) => code)
  }
  expect([await lost(100), await lost(101)]).toEqual([['merchant_refund_not_on_chain'], []])
})

test('a transfer that a reorg undid is in no sum, and on chain again it is missing in the books', async () => {
  const reverted = booksOf([{ ...transfer, state: 'reverted' }], { seen: 0n, paid: 0n })
  expect(await judge(reverted, {}, undefined)).toEqual([])
  expect(await judge(reverted, { movements: [movementAt()] })).toEqual([
    ['merchant_refund_not_in_books', transfer.txId],
  ])
})

test('a payment on chain that names the refund is in the books, by its place in the transaction', async () => {
  const other = movementAt({ logIndex: 1 })
  expect(await judge(booksOf([transfer]), { movements: [movementAt(), other] })).toEqual([
    ['merchant_refund_not_in_books', transfer.txId],
  ])
  const split = movementAt({ kind: 'settled', logIndex: 2 })
  expect(await judge(booksOf([transfer]), { movements: [split] })).toEqual([])
})

test('where a family reads account by account, payments of the last ten minutes may be unread', async () => {
  const unreadFrom = at.timeMs - 10 * minuteMs
  const found = (timeMs: number, blocks?: Map<string, number>) =>
    judge(booksOf([]), { movements: [movementAt({ timeMs })], blocks })
  const missing = [['merchant_refund_not_in_books', transfer.txId]]
  expect(await found(unreadFrom + 1, new Map())).toEqual([])
  expect(await found(unreadFrom, new Map())).toEqual(missing)
  expect(await found(unreadFrom + 1)).toEqual(missing)
})

test('a payment long after the refund had ended is a note', async () => {
  const ended = booksOf([], { endedAtMs: 5_000 })
  const found = (timeMs: number) => judge(ended, { movements: [movementAt({ timeMs })] })
  expect(await found(5_000 + watchAfterWindowMs)).toEqual([['merchant_refund_not_in_books', transfer.txId]])
  expect(await found(5_001 + watchAfterWindowMs)).toEqual([['unwatched', transfer.txId]])
  const open = await judge(booksOf([]), { movements: [movementAt({ timeMs: 5_001 + watchAfterWindowMs })] })
  expect(open).toEqual([['merchant_refund_not_in_books', transfer.txId]])
})

test('what was seen is the sum of all transfers, and what was paid that of the confirmed ones', async () => {
  const seen: StoredTransfer = { ...transfer, txId: 'seen', amount: baseUnits('2'), state: 'seen' }
  const sumsOf = async (changes: { seen: bigint; paid: bigint }) => {
    const books = booksOf([transfer, seen], changes)
    const reader = { at, transferOf: async (_: object, { txId }: { txId: string }) => found.get(txId) }
    const reading = { movements: [], balances: [], blocks: undefined }
    return (await judgeRefund(books, reading, reader, never)).differences.map(({ message }) => message)
  }
  const found = new Map([
    [transfer.txId, { block: 10, amount: 7n }],
    ['seen', { block: 10, amount: 2n }],
  ])
  expect(await sumsOf({ seen: 9n, paid: 7n })).toEqual([])
  expect(await sumsOf({ seen: 7n, paid: 9n })).toEqual([
    'refund refund 1: its seen is 7; its transfers add up to 9',
    'refund refund 1: its paid is 9; its transfers add up to 7',
  ])
})
