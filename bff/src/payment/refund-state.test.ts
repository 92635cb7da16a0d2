import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { DepositPayment } from './payment.ts'
import { isLateHeld, planRefund, refundMessages, refundStateOf } from './refund.ts'

const units = (amount: number) => baseUnits(String(amount))
/** Expired with 10 of 25 million, all of it owed back. */
const failed = (changes: Partial<DepositPayment> = {}) =>
  newPayment({ status: 'expired', received: units(10), refundAddress: '0xpayer', ...changes })
const paid = (changes: Partial<DepositPayment> = {}) =>
  newPayment({ status: 'sweeping', received: units(25_000_010), sweep: 'queued', refundAddress: '0xpayer', ...changes })

describe('how far a refund is', () => {
  test.each([
    ['none', 'sending'],
    ['queued', 'sending'],
    ['failing', 'delayed'],
    ['failed', 'failed'],
  ] as const)('where its payout is %s: it is %s', (refund, state) => {
    expect(refundStateOf(failed({ refund }))).toBe(state)
    expect(refundStateOf(paid({ refund, status: 'swept', sweep: 'confirmed' }))).toBe(state)
  })

  test('waits for an address first, and for the payout to the merchant then', () => {
    expect(refundStateOf(failed({ refundAddress: null }))).toBe('address_needed')
    expect(refundStateOf(paid({ refundAddress: null }))).toBe('address_needed')
    expect(refundStateOf(paid())).toBe('waiting')
    expect(refundStateOf(paid({ status: 'sweep_failed', sweep: 'failed' }))).toBe('waiting')
  })

  test('is nothing while the payment is open, whatever lies there, and what was refunded is shown', () => {
    const open = newPayment({ late: units(10), refundAddress: '0xpayer' })
    expect([refundStateOf(open), planRefund(open)]).toEqual([undefined, 0n])
    expect(refundStateOf({ ...open, refunded: units(4) })).toBe('refunded')
    expect(refundStateOf(newPayment({ status: 'expired' }))).toBeUndefined()
    expect(refundStateOf(failed({ refunded: units(10) }))).toBe('refunded')
  })

  test('is nothing of a wallet payment: its money never lies with us', () => {
    const payment = newContractPayment({ status: 'expired', received: units(10), late: units(10) })
    expect([refundStateOf(payment), planRefund(payment)]).toEqual([undefined, 0n])
  })
})

test('only a failed payment is held for its merchant, from the least that is accepted on, until the merchant gives it back', () => {
  const late = { late: units(24_900_000), least: units(24_900_000), refundAddress: '0xpayer' }
  const held = failed({ ...late, received: units(0) })
  expect([isLateHeld(held), planRefund(held), refundStateOf(held)]).toEqual([true, 0n, 'held'])
  const short = failed({ ...late, received: units(0), late: units(24_899_999) })
  expect([isLateHeld(short), planRefund(short)]).toEqual([false, 24_899_999n])
  const returned = { ...held, lateReturned: true }
  expect([isLateHeld(returned), planRefund(returned)]).toEqual([false, 24_900_000n])
  expect(isLateHeld(newPayment(late))).toBe(false)
  expect(isLateHeld(paid({ ...late, status: 'swept', sweep: 'confirmed' }))).toBe(false)
})

test('each state has a sentence of its own', () => {
  expect(refundMessages).toEqual({
    address_needed: 'Money is owed back: name an address for it.',
    waiting: 'The money goes back when the payout to the merchant is done.',
    sending: 'The money is on its way back.',
    delayed: 'Sending the money back takes longer than usual and is being retried.',
    failed: 'The money could not be sent back yet. The merchant needs to act.',
    held: 'The full amount arrived too late. The merchant decides whether to accept or return it.',
    refunded: 'The money was sent back.',
  })
})
