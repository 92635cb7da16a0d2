import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { canBePaidLate, isSwept, isUntouched, lateWindowMs, statusesOf } from './payment.ts'
import { paymentStateOf, refundableOf } from './payment-sums.ts'

const units = (amount: number) => baseUnits(String(amount))
const due = units(25_000_000)
const unmatched = {
  ...{
    network: 'devnet',
    token: '0x1',
    currency: 'USDT',
    decimals: 6,
    balance: units(1),
    block: 1,
    refunded: units(0),
  },
  ...{ txId: null, notifications: 1, refund: 'none' as const, refundReason: null, address: null, refundTxId: null },
}

test('late money is watched for seven days', () => {
  expect(lateWindowMs).toBe(604_800_000)
})

describe('late money can still pay', () => {
  const expired = newPayment({ status: 'expired', acceptedUntilMs: 5 })

  test('a payment that expired by itself, where the merchant accepts it, until that time is over', () => {
    expect(canBePaidLate(expired)).toBe(true)
    expect(canBePaidLate({ ...expired, closedAs: 'expired' })).toBe(false)
    expect(canBePaidLate({ ...expired, acceptedUntilMs: null })).toBe(false)
    expect(canBePaidLate({ ...expired, lateEnded: true })).toBe(false)
    expect(canBePaidLate({ ...expired, status: 'pending' })).toBe(false)
  })
})

test('a payment is untouched while nothing came: in time, late, or that it did not ask for', () => {
  expect(isUntouched(newPayment())).toBe(true)
  expect(isUntouched(newContractPayment())).toBe(true)
  expect(isUntouched(newPayment({ seen: units(1) }))).toBe(false)
  expect(isUntouched(newPayment({ late: units(1) }))).toBe(false)
  expect(isUntouched(newPayment({ unmatched: [unmatched] }))).toBe(false)
  expect(isUntouched(newContractPayment({ seen: units(1) }))).toBe(false)
})

test('only a deposit is swept, and only when its sweep is confirmed', () => {
  expect(isSwept(newPayment({ sweep: 'confirmed' }))).toBe(true)
  expect(isSwept(newPayment({ sweep: 'failed' }))).toBe(false)
  expect(isSwept(newContractPayment({ status: 'completed' }))).toBe(false)
})

test('a filter names one status, or all that have the outcome', () => {
  expect(statusesOf('swept')).toEqual(['swept'])
  expect(statusesOf('pending')).toEqual(['pending'])
  expect(new Set(statusesOf('paid'))).toEqual(new Set(['completed', 'sweeping', 'swept', 'sweep_failed']))
  expect(new Set(statusesOf('failed'))).toEqual(new Set(['expired', 'cancelled', 'failed']))
})

describe('what the money did', () => {
  test('is short as soon as a part is confirmed, also while the rest waits for its confirmations', () => {
    expect(paymentStateOf(newPayment({ received: units(1), seen: due }))).toBe('underpaid')
    expect(paymentStateOf(newPayment({ seen: units(24_999_999) }))).toBe('underpaid')
    expect(paymentStateOf(newPayment({ seen: due }))).toBe('awaiting')
    expect(paymentStateOf(newPayment())).toBe('awaiting')
  })

  test('is overpaid only by money that counts: late money beside the exact amount is owed back, and no overpayment', () => {
    const paid = newPayment({ status: 'swept', sweep: 'confirmed', received: due })
    const late = { ...paid, late: units(5) }
    expect([paymentStateOf(paid), paymentStateOf(late), refundableOf(late)]).toEqual(['completed', 'completed', 5n])
    const over = { ...paid, received: units(25_000_001) }
    expect([paymentStateOf(over), paymentStateOf({ ...over, refunded: units(1) })]).toEqual([
      ...['overpaid_refunding', 'completed'],
    ])
  })
})
