import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { attentionOf } from './attention.ts'
import { refundableByMerchant } from './merchant-refund.ts'
import type { DepositPayment, Payment } from './payment.ts'
import { paymentStateOf, refundableOf, refundsOfDue, settledOf } from './payment-sums.ts'
import { lateRefusalOf, planRefund, refundStateOf, withMerchantRefunds } from './refund.ts'

const open = (changes: Partial<DepositPayment> = {}) => createMemoryLedger(newPayment({ isDirect: true, ...changes }))

const confirm = (ledger: ReturnType<typeof open>, amount: string, blockNumber = 10) =>
  ledger.apply({ type: 'transfer.confirmed', transfer: transferOf(amount, { blockNumber }), atMs: 1 })

test('a direct deposit that is paid is swept at once, and nothing is queued', () => {
  const ledger = open()
  confirm(ledger, '25000000')
  expect(ledger.payment).toMatchObject({ status: 'swept', sweep: 'none' })
  expect(ledger.effects).toEqual(['payment.detected', 'payment.completed', 'deposit.swept'])
  expect(settledOf(ledger.payment)).toBe(25_000_000n)
  expect(refundableByMerchant(ledger.payment)).toBe(25_000_000n)
})

test('what is over is the merchant’s to pay back, and counts down with what it has refunded', () => {
  const ledger = open()
  confirm(ledger, '28000000')
  expect(paymentStateOf(ledger.payment)).toBe('overpaid_refunding')
  expect([refundableOf(ledger.payment), refundableByMerchant(ledger.payment)]).toEqual([3_000_000n, 28_000_000n])
  expect([planRefund(ledger.payment), refundStateOf(ledger.payment), attentionOf(ledger.payment)]).toEqual([
    0n,
    undefined,
    'excess_owed',
  ])
  expect(planRefund(newPayment({ isDirect: true, status: 'expired', received: baseUnits('2000000') }))).toBe(0n)
  const part = { ...ledger.payment, refundedByMerchant: baseUnits('2000000') }
  expect([refundableOf(part), attentionOf(part)]).toEqual([1_000_000n, 'excess_owed'])
  const all = { ...ledger.payment, refundedByMerchant: baseUnits('28000000') }
  expect([refundableOf(all), paymentStateOf(all), attentionOf(all)]).toEqual([0n, 'completed', null])
})

test('an excess is somebody’s to pay back until the merchant has, and an open refund of it is named instead', () => {
  const over: Payment = { ...newPayment({ isDirect: true, status: 'swept' }), received: baseUnits('28000000') }
  expect(attentionOf(over)).toBe('excess_owed')
  expect(attentionOf({ ...over, refundDueByMerchant: baseUnits('1000000') })).toBe('merchant_refund')
  expect(attentionOf({ ...over, refundedByMerchant: baseUnits('1000000') })).toBe('excess_owed')
  expect(attentionOf({ ...over, refundedByMerchant: baseUnits('3000000') })).toBeNull()
})

test('of a wallet payment too, what the merchant refunded is owed no longer', () => {
  const twice = newContractPayment({ status: 'completed', received: baseUnits('50000000') })
  expect([refundableOf(twice), paymentStateOf(twice), attentionOf(twice)]).toEqual([
    25_000_000n,
    'overpaid_refunding',
    'excess_owed',
  ])
  const refunded: Payment = { ...twice, refundedByMerchant: baseUnits('25000000') }
  expect([refundableOf(refunded), paymentStateOf(refunded), attentionOf(refunded)]).toEqual([0n, 'completed', null])
})

test('a refund of all of it leaves the payment paid', () => {
  const ledger = open()
  confirm(ledger, '25000000')
  refund(ledger, '25000000')
  endWindow(ledger)
  expect(ledger.payment.status).toBe('swept')
})

test('short money of an ended payment is the merchant’s to pay back', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })
  expect([ledger.payment.status, attentionOf(ledger.payment)]).toEqual(['expired', 'excess_owed'])
  expect([refundableOf(ledger.payment), refundableByMerchant(ledger.payment)]).toEqual([10_000_000n, 10_000_000n])
  expect(ledger.effects).not.toContain('queue-refund')
})

test('no event of sweeps and refunds of the service moves it', () => {
  const ledger = open()
  confirm(ledger, '28000000')
  const before = ledger.payment
  ledger.apply({ type: 'refund.requested', address: '0xaa', atMs: 3 })
  ledger.apply({ type: 'sweep.confirmed', txId: '0x5', atMs: 3 })
  ledger.apply({ type: 'sweep.failed', isGivenUp: true, atMs: 3 })
  ledger.apply({ type: 'late.returned', atMs: 3 })
  expect(ledger.payment).toBe(before)
})

test('nor does a return of late money, which the merchant has', () => {
  const ledger = open()
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })
  confirm(ledger, '25000000', windowEndsAtMs / 1000 + 5)
  const before = ledger.payment
  ledger.apply({ type: 'late.returned', atMs: 3 })
  expect(ledger.payment).toBe(before)
})

test('of a part that came, nothing is the merchant’s to pay back while the customer may pay the rest', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  expect([ledger.payment.status, refundableByMerchant(ledger.payment)]).toEqual(['pending', 0n])
})

test('a reorg takes the payment back', () => {
  const ledger = open()
  confirm(ledger, '25000000')
  ledger.apply({ type: 'transfer.reverted', transfer: transferOf('25000000'), atMs: 2 })
  expect(ledger.payment).toMatchObject({ status: 'pending', confirmedAtMs: null })
  expect(refundableByMerchant(ledger.payment)).toBe(0n)
})

test('late money makes it paid when the merchant accepts it', () => {
  const ledger = open()
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })
  confirm(ledger, '25000000', windowEndsAtMs / 1000 + 5)
  expect(ledger.payment).toMatchObject({ status: 'expired', late: 25_000_000n })
  expect(refundableByMerchant(ledger.payment)).toBe(25_000_000n)
  expect(attentionOf(ledger.payment)).toBe('excess_owed')
  ledger.apply({ type: 'late.accepted', atMs: 3 })
  expect(ledger.payment.status).toBe('swept')
  expect([refundableOf(ledger.payment), attentionOf(ledger.payment)]).toEqual([0n, null])
})

test.each([
  ['short', { refundedByMerchant: baseUnits('25000000') }, null],
  ['short', { refundedByMerchant: baseUnits('1') }, 'excess_owed'],
  ['refunding', { refundDueByMerchant: baseUnits('1') }, 'merchant_refund'],
] as const)('late money is not accepted (%s) once the merchant’s wallet refunds it: %o', (refusal, sums, attention) => {
  const ledger = open({ status: 'expired', windowEnded: true, late: baseUnits('25000000'), ...sums })
  expect([lateRefusalOf(ledger.payment), attentionOf(ledger.payment)]).toEqual([refusal, attention])
  ledger.apply({ type: 'late.accepted', atMs: 3 })
  expect(ledger.payment.status).toBe('expired')
})

test('money that the merchant refunded does not make an expired payment paid when the rest arrives late', () => {
  const acceptedUntilMs = windowEndsAtMs + 1_000_000
  const ledger = open({ acceptedUntilMs })
  confirm(ledger, '10000000')
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })
  const refunded = open({ ...(ledger.payment as DepositPayment), refundedByMerchant: baseUnits('10000000') })
  confirm(refunded, '15000000', 20)
  expect(refunded.payment).toMatchObject({ status: 'expired', received: 25_000_000n })
  expect([refundableOf(refunded.payment), attentionOf(refunded.payment)]).toEqual([15_000_000n, 'excess_owed'])
  expect(refunded.effects).not.toContain('payment.completed')
})

/** The merchant's refunds of the payment from now on: confirmed, and still to be paid. */
function refund(ledger: ReturnType<typeof open>, paid: string, due = '0'): void {
  ledger.payment = withMerchantRefunds(ledger.payment, { paid: baseUnits(paid), open: baseUnits(due) })
}

const revert = (ledger: ReturnType<typeof open>, amount: string) =>
  ledger.apply({ type: 'transfer.reverted', transfer: transferOf(amount, { blockNumber: 10 }), atMs: 3 })

const endWindow = (ledger: ReturnType<typeof open>) =>
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })

test.each([
  ['5000000', '0'],
  ['0', '5000000'],
])(
  'a paid payment of which the merchant refunds a part is paid again when a reorg returns its money: %s paid, %s open',
  (paid, due) => {
    const ledger = open()
    confirm(ledger, '25000000')
    refund(ledger, paid, due)
    endWindow(ledger)
    revert(ledger, '25000000')
    expect(ledger.payment.status).toBe('expired')
    confirm(ledger, '25000000', 11)
    expect([ledger.payment.status, refundableOf(ledger.payment)]).toEqual(['swept', 0n])
  },
)

const lost = [
  { first: '25000000', second: '10000000' },
  { first: '10000000', second: '25000000' },
]

test.each(lost)('an excess that was refunded does not pay again, in whatever order a reorg takes it: %o', (order) => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '0', '10000000')
  revert(ledger, order.first)
  refund(ledger, '10000000')
  endWindow(ledger)
  revert(ledger, order.second)
  confirm(ledger, '10000000', 11)
  confirm(ledger, '15000000', 11)
  expect(ledger.payment).toMatchObject({ status: 'expired', received: 25_000_000n })
  expect([refundableOf(ledger.payment), attentionOf(ledger.payment)]).toEqual([15_000_000n, 'excess_owed'])
})

test.each(lost)('an excess that was refunded does not pay again before the window ends either: %o', (order) => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '0', '10000000')
  revert(ledger, order.first)
  refund(ledger, '10000000')
  revert(ledger, order.second)
  confirm(ledger, '10000000', 11)
  confirm(ledger, '15000000', 11)
  expect(ledger.payment).toMatchObject({ status: 'pending', received: 25_000_000n })
  endWindow(ledger)
  expect([ledger.payment.status, refundableOf(ledger.payment)]).toEqual(['expired', 15_000_000n])
})

test('a payment whose excess was refunded stays open while a reorg has only moved its money', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '10000000')
  revert(ledger, '25000000')
  ledger.apply({ type: 'transfer.seen', transfer: transferOf('25000000', { blockNumber: 11 }), atMs: 4 })
  endWindow(ledger)
  expect(ledger.payment.status).toBe('pending')
  confirm(ledger, '25000000', 11)
  expect([ledger.payment.status, ledger.effects.includes('payment.expired')]).toEqual(['swept', false])
})

test('a payment that a reorg leaves short of what was refunded is over with its window, while another transfer waits', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '10000000')
  ledger.apply({ type: 'transfer.seen', transfer: transferOf('26000000'), atMs: 2 })
  endWindow(ledger)
  revert(ledger, '10000000')
  revert(ledger, '25000000')
  expect([ledger.payment.status, ledger.payment.seen]).toEqual(['expired', 26_000_000n])
})

test('an expired payment is open again once the refund is cancelled that left too little of what waits', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '0', '10000000')
  revert(ledger, '10000000')
  revert(ledger, '25000000')
  ledger.apply({ type: 'transfer.seen', transfer: transferOf('25000000', { blockNumber: 11 }), atMs: 4 })
  endWindow(ledger)
  expect(ledger.payment.status).toBe('expired')
  refund(ledger, '0')
  ledger.apply({ type: 'merchant_refunds.changed', atMs: 5 })
  expect(ledger.payment.status).toBe('pending')
})

test.each(lost)('a paid payment whose excess was refunded is paid again when a reorg returns both: %o', (order) => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '10000000')
  endWindow(ledger)
  revert(ledger, order.first)
  revert(ledger, order.second)
  confirm(ledger, order.first, 11)
  confirm(ledger, order.second, 11)
  expect([ledger.payment.status, refundableOf(ledger.payment)]).toEqual(['swept', 0n])
})

test('a refund of the amount due that is cancelled after a reorg leaves no later refund uncounted', () => {
  const ledger = open({ acceptedUntilMs: windowEndsAtMs + 1_000_000 })
  confirm(ledger, '25000000')
  refund(ledger, '0', '10000000')
  endWindow(ledger)
  revert(ledger, '25000000')
  refund(ledger, '0')
  confirm(ledger, '10000000', 11)
  refund(ledger, '10000000')
  confirm(ledger, '15000000', 12)
  expect(ledger.payment).toMatchObject({ status: 'expired', received: 25_000_000n })
})

test('a refund of the amount due that is cancelled after a reorg leaves no refund of the excess uncounted', () => {
  const ledger = open()
  confirm(ledger, '10000000')
  confirm(ledger, '25000000')
  refund(ledger, '10000000')
  refund(ledger, '10000000', '8000000')
  revert(ledger, '10000000')
  revert(ledger, '25000000')
  refund(ledger, '10000000')
  confirm(ledger, '25000000', 11)
  confirm(ledger, '2000000', 12)
  expect([ledger.payment.status, ledger.payment.refundedOfDue]).toEqual(['pending', 0n])
  confirm(ledger, '8000000', 13)
  expect(ledger.payment.status).toBe('swept')
})

test('of what the merchant refunds in parts, only what exceeds the excess is of the amount due', () => {
  const ledger = open()
  confirm(ledger, '35000000')
  const ofDue = (paid: string, due = '0') => {
    refund(ledger, paid, due)
    return ledger.payment.refundedOfDue
  }
  expect([ofDue('0', '4000000'), ofDue('4000000'), ofDue('4000000', '8000000')]).toEqual([0n, 0n, 2_000_000n])
  expect([ofDue('12000000'), ofDue('12000000', '3000000'), ofDue('12000000')]).toEqual([
    2_000_000n,
    5_000_000n,
    2_000_000n,
  ])
})

test('an excess that the merchant refunded still counts when a reorg returns only the amount due', () => {
  const ledger = open({ refundedByMerchant: baseUnits('5000000') })
  confirm(ledger, '30000000')
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 2 })
  ledger.apply({ type: 'transfer.reverted', transfer: transferOf('30000000', { blockNumber: 10 }), atMs: 3 })
  confirm(ledger, '25000000', 11)
  expect([ledger.payment.status, refundableOf(ledger.payment)]).toEqual(['expired', 20_000_000n])
})

test('what comes after the whole amount was refunded is owed until the merchant’s wallet has paid it back', () => {
  const ledger = open()
  const owed = () => [refundableOf(ledger.payment), paymentStateOf(ledger.payment), refundsOfDue(ledger.payment).paid]
  confirm(ledger, '25000000')
  refund(ledger, '25000000')
  confirm(ledger, '5000000', 11)
  expect(owed()).toEqual([5_000_000n, 'overpaid_refunding', 25_000_000n])
  refund(ledger, '25000000', '5000000')
  expect(owed(), 'requested').toEqual([5_000_000n, 'overpaid_refunding', 25_000_000n])
  refund(ledger, '30000000')
  expect(owed(), 'paid').toEqual([0n, 'completed', 25_000_000n])
  refund(ledger, '25000000', '5000000')
  expect(owed(), 'a reorg has undone it').toEqual([5_000_000n, 'overpaid_refunding', 25_000_000n])
  refund(ledger, '25000000')
  expect(owed(), 'it is cancelled').toEqual([5_000_000n, 'overpaid_refunding', 25_000_000n])
})

test('what is over is owed in full although the merchant refunded a part of the amount due before', () => {
  const ledger = open()
  const owed = () => [refundableOf(ledger.payment), attentionOf(ledger.payment)]
  confirm(ledger, '25000000')
  refund(ledger, '4000000')
  confirm(ledger, '10000000', 11)
  expect([...owed(), paymentStateOf(ledger.payment)]).toEqual([10_000_000n, 'excess_owed', 'overpaid_refunding'])
  refund(ledger, '14000000', '3000000')
  expect(owed()).toEqual([0n, 'merchant_refund'])
  refund(ledger, '17000000')
  expect(owed()).toEqual([0n, null])
})

test('another token at the address is shown, and never returned by the service', () => {
  const ledger = open()
  const token = '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707'
  const measured = { currency: 'USDT', decimals: 6, balance: baseUnits('7'), block: 1, txId: null }
  ledger.apply({ type: 'unmatched.measured', network: 'devnet', token, atMs: 1, ...measured })
  ledger.apply({ type: 'refund.requested', address: '0xaa', atMs: 2 })
  expect(ledger.payment).toMatchObject({ unmatched: [{ balance: 7n, refund: 'none' }] })
  expect(attentionOf(ledger.payment)).toBeNull()
  expect(ledger.effects).toEqual(['deposit.unmatched_received'])
})
