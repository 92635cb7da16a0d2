import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import type { DepositPayment } from './payment.ts'
import { paymentStateOf, refundableOf, settledOf } from './payment-sums.ts'
import { lateRefusalOf } from './refund.ts'

const atMs = 9
const units = (amount: number) => baseUnits(String(amount))
const [due, least] = [25_000_000, 24_000_000]

describe('a payment that is being paid', () => {
  const close = (seen: number, isShort: boolean) => {
    const ledger = createMemoryLedger(newPayment({ least: units(least) }))
    if (seen > 0) ledger.apply({ type: 'transfer.seen', transfer: transferOf(String(seen)), atMs })
    ledger.apply({ type: 'payment.closed', as: 'failed', isShort, atMs })
    return ledger.payment.closedAs
  }

  test.each([
    ['nothing was seen', 0, false, 'failed'],
    ['one unit was seen, and only the merchant may end it', 1, false, null],
    ['the merchant ends it one unit below the least', least - 1, true, 'failed'],
    ['the merchant may not end what is enough', least, true, null],
    ['nor what is more than enough', due + 1, true, null],
  ])('is ended by a caller or not: %s', (_, seen, isShort, closedAs) => {
    expect(close(seen, isShort)).toBe(closedAs)
  })
})

test('a payment that expired is not ended by its caller any more', () => {
  const ledger = createMemoryLedger(newPayment())
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs })
  const { payment } = ledger
  ledger.apply({ type: 'payment.closed', as: 'cancelled', atMs })
  expect(ledger.payment).toBe(payment)
  expect(ledger.effects).toEqual(['payment.expired'])
})

test('a paid payment that owes only late money back is completed, not overpaid', () => {
  const paid = newPayment({ status: 'swept', sweep: 'confirmed', sweptAmount: units(due), received: units(due) })
  expect([refundableOf(paid), paymentStateOf(paid)]).toEqual([0n, 'completed'])
  const late = { ...paid, late: units(5) }
  expect([refundableOf(late), paymentStateOf(late)]).toEqual([5n, 'completed'])
})

test('money before the sweep is no sum of a sweep', () => {
  const ledger = createMemoryLedger(newPayment())
  ledger.apply({ type: 'transfer.seen', transfer: transferOf('5'), atMs })
  expect(ledger.payment).toMatchObject({ sweptAmount: null })
})

describe('what is owed back of an open payment', () => {
  const owed = (changes: Partial<DepositPayment>) => refundableOf(newPayment(changes))

  test('is late money and what exceeds the amount due, but not what may still complete it', () => {
    expect(owed({ received: units(10_000_000) })).toBe(0n)
    expect(owed({ received: units(10_000_000), late: units(5) })).toBe(5n)
    expect(owed({ least: units(least), received: units(least + 1) })).toBe(0n)
    expect(owed({ received: units(due + 3), late: units(5), refunded: units(1) })).toBe(7n)
  })

  test('leaves out late money that the merchant accepted', () => {
    expect(owed({ received: units(10), late: units(5), lateTaken: true })).toBe(0n)
  })
})

test('a sweep of a version that stored no amount has its amount before more money arrives, and keeps it', () => {
  const swept = { status: 'swept', windowEnded: true, sweep: 'confirmed', sweepTxId: '0x5e' } as const
  const ledger = createMemoryLedger(newPayment({ ...swept, seen: units(due), received: units(due) }))
  const late = (txId: string): PaymentEvent => ({
    type: 'transfer.confirmed',
    transfer: transferOf('7', { txId, blockTimeMs: windowEndsAtMs + 1 }),
    atMs,
  })
  ledger.apply(late('0x1'))
  expect(ledger.payment).toMatchObject({ sweptAmount: units(due), late: 7n })
  ledger.apply(late('0x2'))
  expect(ledger.payment).toMatchObject({ sweptAmount: units(due), late: 14n })
  expect(refundableOf(ledger.payment)).toBe(14n)
})

test('a failed wallet payment that is short says so when the merchant would accept it', () => {
  expect(lateRefusalOf(newContractPayment({ status: 'expired', late: units(1) }))).toBe('short')
})

test('what is enough and on its way back is said to be on its way back, also where it is less than what is due', () => {
  const sums = { least: units(least), late: units(least), refunding: units(least) }
  expect(lateRefusalOf(newPayment({ status: 'expired', ...sums }))).toBe('refunding')
})

test('a wallet payment that its payer paid with less than is due is settled by that, and late money is owed back', () => {
  const sums = { least: units(least), received: units(least + 1), late: units(5) }
  const payment = newContractPayment({ status: 'completed', seen: units(least + 1), ...sums })
  expect([settledOf(payment), refundableOf(payment)]).toEqual([units(least + 1), 5n])
})

test('an open payment is short below the least, and waits where enough of it is unconfirmed', () => {
  const state = (seen: number) => paymentStateOf(newPayment({ least: units(least), seen: units(seen) }))
  expect([state(least - 1), state(least)]).toEqual(['underpaid', 'awaiting'])
})

test('a window that has ended is not opened again by an older block, nor is the time for late money', () => {
  const acceptedUntilMs = windowEndsAtMs + 1_000
  const ledger = createMemoryLedger(newPayment({ acceptedUntilMs }))
  const ended = (blockTimeMs: number) => ledger.apply({ type: 'window.ended', blockTimeMs, atMs })
  ended(acceptedUntilMs + 1)
  const { payment } = ledger
  expect(payment).toMatchObject({ status: 'expired', windowEnded: true, lateEnded: true })
  ended(windowEndsAtMs + 1)
  ended(windowEndsAtMs - 1)
  expect(ledger.payment).toBe(payment)
})

describe('unmatched money', () => {
  const there = { network: 'devnet', token: '0x0000000000000000000000000000000000000002' }
  const measured = (balance: number, block: number, txId: string | null, network = 'devnet'): PaymentEvent => ({
    ...there,
    type: 'unmatched.measured',
    network,
    currency: 'USDT',
    decimals: 6,
    balance: units(balance),
    block,
    txId,
    atMs,
  })
  const open = (...events: PaymentEvent[]) => {
    const ledger = createMemoryLedger(newPayment())
    for (const event of events) ledger.apply(event)
    return ledger
  }
  const at = ({ payment }: ReturnType<typeof open>, network = 'devnet') =>
    payment.mode === 'deposit' ? payment.unmatched.find((one) => one.network === network) : undefined
  const received = ({ effects }: ReturnType<typeof open>) =>
    effects.filter((effect) => effect === 'deposit.unmatched_received').length

  test('is reported when its balance grows, and not when the same balance is read again', () => {
    const ledger = open(measured(5, 10, '0x1'), measured(5, 11, '0x1'), measured(5, 12, null))
    expect([at(ledger)?.block, received(ledger)]).toEqual([10, 1])
    ledger.apply(measured(5, 13, '0x2'))
    expect([at(ledger)?.block, received(ledger)]).toEqual([13, 1])
    ledger.apply(measured(6, 14, null))
    expect([at(ledger)?.txId, received(ledger)]).toEqual(['0x2', 2])
  })

  test('on another network is not tried again by an address for refunds of the payment', () => {
    const ledger = open(measured(5, 10, '0x1', 'polygon'))
    ledger.apply({ type: 'refund.requested', address: '0xa', network: 'polygon', atMs })
    const failed = { type: 'unmatched.return_failed', network: 'polygon', token: there.token, as: 'failed' } as const
    ledger.apply({ ...failed, atMs })
    ledger.apply({ type: 'refund.requested', address: '0xb', atMs })
    expect(at(ledger, 'polygon')).toMatchObject({ refund: 'failed', address: '0xa' })
  })

  test('with an address of its own is not tried again by an address for refunds of the payment', () => {
    const ledger = open(measured(5, 10, '0x1'))
    ledger.apply({ type: 'refund.requested', address: '0xa', network: 'devnet', atMs })
    const failed = { type: 'unmatched.return_failed', network: 'devnet', token: there.token, as: 'failed' } as const
    ledger.apply({ ...failed, atMs })
    ledger.apply({ type: 'refund.requested', address: '0xb', atMs })
    expect(at(ledger)).toMatchObject({ refund: 'failed', address: '0xa' })
  })

  test('that went back by another transaction than was reported is reported once more', () => {
    const ledger = open(measured(5, 10, '0x1'), { type: 'refund.requested', address: '0xa', atMs })
    const reported = () => ledger.effects.filter((effect) => effect === 'deposit.unmatched_refunded').length
    ledger.apply({ type: 'unmatched.returned', ...there, amount: units(5), txId: '0xback', block: 11, atMs })
    expect(reported()).toBe(1)
    ledger.apply(measured(2, 12, '0x3'))
    expect(reported()).toBe(1)
    ledger.apply({ type: 'unmatched.return_replaced', ...there, txId: '0xagain', txIds: ['0xback'], atMs })
    expect(reported()).toBe(2)
    ledger.apply({ type: 'unmatched.return_undone', ...there, amount: units(5), txIds: ['0xagain'], atMs })
    expect(reported()).toBe(2)
  })
})
