import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import { paymentStateOf, refundableOf } from './payment-sums.ts'
import { nextRefundOf, planRefund, refundStateOf } from './refund.ts'

const due = 25_000_000
const lateBlock = windowEndsAtMs / 1000 + 10

function open() {
  const ledger = createMemoryLedger(newPayment({ sequence: 0 }))
  const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
    ledger.apply({ atMs: 0, ...event } as PaymentEvent)
  let transfers = 0
  const pay = (amount: number, blockNumber = 10) => {
    const transfer = transferOf(String(amount), { blockNumber, txId: `0x${++transfers}` })
    apply({ type: 'transfer.confirmed', transfer })
    return transfer
  }
  return {
    ledger,
    apply,
    pay,
    payLate: (amount: number) => pay(amount, lateBlock),
    expire: () => apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1 }),
    sweep: () => apply({ type: 'sweep.confirmed', txId: '0xsweep' }),
    request: (address = '0xpayer') => apply({ type: 'refund.requested', address }),
    refund: (amount: number) => apply({ type: 'refund.confirmed', amount: baseUnits(String(amount)), txId: '0xback' }),
    planned: () => Number(planRefund(ledger.payment)),
    state: () => refundStateOf(ledger.payment),
  }
}

describe('what can be sent back', () => {
  test('of an open payment nothing, of a paid one the excess once it is swept', () => {
    const { pay, sweep, planned, state, request, refund, ledger } = open()
    pay(due + 5)
    expect([planned(), state()]).toEqual([0, 'address_needed'])
    request()
    expect([planned(), state(), paymentStateOf(ledger.payment)]).toEqual([0, 'waiting', 'overpaid_refunding'])
    sweep()
    expect([planned(), state()]).toEqual([5, 'sending'])
    refund(5)
    expect([planned(), state(), paymentStateOf(ledger.payment)]).toEqual([0, 'refunded', 'completed'])
  })

  test('after a refund, money that a reorg brings into the window pays only when the whole amount is still there', () => {
    const { pay, expire, request, refund, planned, ledger } = open()
    pay(10)
    expire()
    request()
    refund(10)
    pay(due - 10)
    expect([ledger.payment.status, planned()]).toEqual(['expired', due - 10])
    pay(10)
    expect([ledger.payment.status, planned()]).toEqual(['sweeping', 0])
  })

  test('of an expired one everything, until the whole amount is there: that is the merchant’s', () => {
    const { pay, payLate, expire, planned, state } = open()
    pay(10)
    expect([planned(), state()]).toEqual([0, undefined])
    expire()
    expect([planned(), state()]).toEqual([10, 'address_needed'])
    payLate(due - 11)
    expect(planned()).toBe(due - 1)
    payLate(1)
    expect([planned(), state()]).toEqual([0, 'held'])
    payLate(3)
    expect([planned(), state()]).toEqual([3, 'address_needed'])
  })
})

test('the whole amount that came late is held, until the merchant gives it back or takes it', () => {
  const { payLate, expire, planned, state, request, apply, ledger } = open()
  request()
  payLate(10)
  expire()
  apply({ type: 'late.returned' })
  expect([planned(), state(), ledger.payment]).toMatchObject([10, 'sending', { lateReturned: false }])
  payLate(due - 10)
  expect([planned(), state(), ledger.payment]).toMatchObject([0, 'held', { refund: 'none' }])
  apply({ type: 'late.returned' })
  expect([planned(), state(), ledger.payment]).toMatchObject([due, 'sending', { lateReturned: true, refund: 'queued' }])
  apply({ type: 'late.accepted' })
  expect([planned(), ledger.payment.status]).toEqual([0, 'sweeping'])
  const other = open()
  other.payLate(due)
  other.expire()
  other.request()
  other.apply({ type: 'late.returned' })
  other.refund(due)
  expect([other.planned(), other.state()]).toEqual([0, 'refunded'])
})

test('a refund is queued when there is money and an address, called off with the money, and queued again with new money', () => {
  const { pay, payLate, expire, request, refund, apply, ledger } = open()
  const transfer = pay(10)
  request()
  expire()
  expect(ledger.effects.at(-2)).toBe('queue-refund')
  apply({ type: 'transfer.reverted', transfer })
  expect(ledger.effects.at(-1)).toBe('cancel-refund')
  payLate(7)
  expect(ledger.effects.at(-1)).toBe('queue-refund')
  refund(7)
  expect(ledger.effects.at(-1)).toBe('deposit.refunded')
  payLate(2)
  expect(ledger.effects.at(-1)).toBe('queue-refund')
})

test.each([false, true])(
  'a refund that failed (given up: %s) is called off with the money, and new money starts it anew',
  (isGivenUp) => {
    const { pay, payLate, expire, request, apply, state, ledger } = open()
    const transfer = pay(10)
    request()
    expire()
    apply({ type: 'refund.failed', isGivenUp })
    apply({ type: 'transfer.reverted', transfer })
    expect([ledger.effects.at(-1), ledger.payment]).toMatchObject(['cancel-refund', { refund: 'none' }])
    payLate(7)
    expect([ledger.effects.at(-1), state()]).toEqual(['queue-refund', 'sending'])
  },
)

test('of late money that is held, what goes back next is the excess, and all of it only where there is none', () => {
  const { payLate, expire, ledger } = open()
  expire()
  payLate(due)
  expect(nextRefundOf(ledger.payment)).toBe(BigInt(due))
  payLate(3)
  expect(nextRefundOf(ledger.payment)).toBe(3n)
})

test('failures are shown as they pile up, and another address is tried at once', () => {
  const { pay, expire, request, apply, state, ledger } = open()
  pay(10)
  expire()
  request()
  apply({ type: 'refund.failed', isGivenUp: false })
  expect(state()).toBe('delayed')
  apply({ type: 'refund.failed', isGivenUp: true })
  expect(state()).toBe('failed')
  request('0xother')
  expect([state(), ledger.effects.at(-1)]).toEqual(['sending', 'queue-refund'])
})

test('whatever happens in whatever order, never more than what is not the merchant’s goes back', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constantFrom('pay' as const, 'payLate' as const),
      amount: fc.constantFrom(10, due - 10, due, due + 5, 2 * due),
    }),
    fc.record({ do: fc.constantFrom('expire' as const, 'sweep' as const, 'request' as const, 'refund' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const story = open()
      let [arrived, returned, toMerchant] = [0, 0, 0]
      for (const one of steps) {
        const { payment } = story.ledger
        if ('amount' in one) {
          story[one.do](one.amount)
          arrived += one.amount
        } else if (one.do === 'refund') {
          const planned = story.planned()
          if (planned > 0) story.refund(planned)
          returned += planned
        } else if (one.do === 'sweep') {
          if (payment.mode !== 'deposit' || payment.sweep !== 'queued') continue
          toMerchant = due
          story.sweep()
        } else story[one.do]()
        expect(returned + toMerchant).toBeLessThanOrEqual(arrived)
        expect(Number(refundableOf(story.ledger.payment))).toBeLessThanOrEqual(arrived - returned)
      }
    }),
  )
})
