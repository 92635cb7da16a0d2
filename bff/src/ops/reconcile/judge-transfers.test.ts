import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { Movement } from '../../chain/movements.ts'
import { baseUnits } from '../../core/money.ts'
import { bridgeWaitMaxMs, newBridge } from '../../payment/bridge.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { BridgeTerms, Payment } from '../../payment/payment.ts'
import { judgeTransfers } from './judge-transfers.ts'

const units = (amount: bigint) => baseUnits(String(amount))

const transfer = (changes: Partial<StoredTransfer> = {}): StoredTransfer => ({
  ...{ ...transferOf('7'), state: 'confirmed', isLate: false, ...changes },
})

/** A transfer as the chain has it. */
const onChain = ({ txId, logIndex, blockNumber: block, blockTimeMs: timeMs, amount }: StoredTransfer): Movement => ({
  ...{ kind: 'in', token: 'token', txId, logIndex, block, timeMs, amount },
})

/** The sums of the payment are those of its transfers, unless `payment` says otherwise. */
function judge(
  payment: Payment,
  transfers: StoredTransfer[],
  movements: Movement[],
  reading: { blocks?: Map<string, number>; readTo?: string } = {},
) {
  const books = { payment, transfers, payouts: [], queued: [], readTo: reading.readTo }
  const judged = judgeTransfers(books, { movements, balances: [], blocks: reading.blocks }, 100)
  const codes = [...judged.differences, ...judged.notes].map(({ code, txId }) => [code, txId])
  return { codes, unconfirmed: judged.unconfirmed }
}

const paid = { seen: units(7n), received: units(7n) }
const own = transfer()

test('two transfers of one transaction are two: each is in the books by its place', () => {
  const second = transfer({ logIndex: 1 })
  expect(judge(newPayment(paid), [own], [onChain(own), onChain(second)]).codes).toEqual([
    ['transfer_not_in_books', own.txId],
  ])
  const both = newPayment({ seen: units(14n), received: units(14n) })
  expect(judge(both, [own, second], [onChain(own), onChain(second)]).codes).toEqual([])
  expect(judge(both, [own, second], [onChain(own)]).codes).toEqual([['transfer_not_on_chain', own.txId]])
})

test('a transfer in an earlier block of the chain than in the books differs, as one in a later block does', () => {
  for (const block of [9, 11]) {
    const moved = { ...onChain(own), block }
    expect(judge(newPayment(paid), [own], [moved]).codes).toEqual([['transfer_differs', own.txId]])
  }
})

test('of a wallet payment every transfer is read; while it is unpaid, one that the books lack is missing', () => {
  const blocks = new Map([[own.txId, own.blockNumber]])
  const missing = [['transfer_not_in_books', own.txId]]
  expect(judge(newContractPayment(), [], [onChain(own)], { blocks }).codes).toEqual(missing)
  const isPaid = newContractPayment({ status: 'completed', received: units(25_000_000n), seen: units(25_000_000n) })
  const sums = [
    ['sum_differs', null],
    ['sum_differs', null],
  ]
  expect(judge(isPaid, [], [onChain(own)], { blocks }).codes).toEqual([...sums, ['paid_again', own.txId]])
})

test('a deposit’s transfer after its account’s cursor is unconfirmed money, and up to it missing in the books', () => {
  const blocks = new Map([
    ['before', own.blockNumber - 1],
    [own.txId, own.blockNumber],
  ])
  const before = judge(newPayment(), [], [onChain(own)], { blocks, readTo: 'before' })
  expect(before).toEqual({ codes: [], unconfirmed: 7n })
  const read = judge(newPayment(), [], [onChain(own)], { blocks, readTo: own.txId })
  expect(read).toEqual({ codes: [['transfer_not_in_books', own.txId]], unconfirmed: 0n })
})

test('what is seen and not confirmed is unconfirmed', () => {
  const seen = transfer({ state: 'seen' })
  expect(judge(newPayment({ seen: units(7n) }), [seen], [onChain(seen)])).toEqual({ codes: [], unconfirmed: 7n })
  expect(judge(newPayment(paid), [own], [onChain(own)])).toEqual({ codes: [], unconfirmed: 0n })
})

const lateAt = (blockTimeMs: number, changes: Partial<Payment> = {}) => {
  const judgedAs = (isLate: boolean) => {
    const one = transfer({ blockTimeMs, isLate })
    const sums = isLate ? { late: units(7n) } : paid
    return judge({ ...newPayment(sums), ...changes } as Payment, [one], [onChain(one)]).codes.length === 0
  }
  return { late: judgedAs(true), inTime: judgedAs(false) }
}
const [inTimeOnly, lateOnly, either] = [
  { late: false, inTime: true },
  { late: true, inTime: false },
  { late: true, inTime: true },
]

test('a transfer is in time up to the end of the window, or as long as late money is accepted', () => {
  expect(lateAt(windowEndsAtMs)).toEqual(inTimeOnly)
  expect(lateAt(windowEndsAtMs + 1)).toEqual(lateOnly)
  const accepted = { acceptedUntilMs: windowEndsAtMs + 5_000 }
  expect(lateAt(windowEndsAtMs + 5_000, accepted)).toEqual(inTimeOnly)
  expect(lateAt(windowEndsAtMs + 5_001, accepted)).toEqual(lateOnly)
})

test('a payment that was ended by hand may have late money before its window ends', () => {
  expect(lateAt(windowEndsAtMs, { closedAs: 'cancelled' })).toEqual(either)
  expect(lateAt(windowEndsAtMs + 1, { closedAs: 'cancelled' })).toEqual(lateOnly)
})

test('a bridge may keep the window open for a day', () => {
  const bridge = newBridge({} as BridgeTerms)
  expect(lateAt(windowEndsAtMs + bridgeWaitMaxMs, { bridge } as Partial<Payment>)).toEqual(either)
  expect(lateAt(windowEndsAtMs + bridgeWaitMaxMs + 1, { bridge } as Partial<Payment>)).toEqual(lateOnly)
})

test.each(['seen', 'received', 'late'] as const)('what a payment has %s is the sum of its transfers', (name) => {
  const reverted = transfer({ state: 'reverted', txId: 'reverted' })
  const late = transfer({ txId: 'late', isLate: true, blockTimeMs: windowEndsAtMs + 1 })
  const seenLate = transfer({ txId: 'seen late', isLate: true, state: 'seen', blockTimeMs: windowEndsAtMs + 1 })
  const seen = transfer({ txId: 'seen', state: 'seen' })
  const lateReverted = transfer({ txId: 'late reverted', isLate: true, state: 'reverted' })
  const there = [own, seen, late, seenLate]
  const sums = { seen: units(14n), received: units(7n), late: units(7n) }
  const codesOf = (changes: object) =>
    judge(newPayment({ ...sums, ...changes }), [...there, reverted, lateReverted], there.map(onChain)).codes
  expect(codesOf({})).toEqual([])
  expect(codesOf({ [name]: units(8n) })).toEqual([['sum_differs', null]])
})
