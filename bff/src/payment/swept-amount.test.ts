import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDepositTerms } from '../chain/evm/deposit/deposit-terms.ts'
import { sharesOf } from '../chain/shares.ts'
import { baseUnits } from '../core/money.ts'
import { attentionOf } from './attention.ts'
import type { PaymentEvent } from './event.ts'
import { paymentStateOf, refundableOf } from './payment-sums.ts'
import { planRefund, refundStateOf } from './refund.ts'

const address = '0x00000000000000000000000000000000000000aa'
const [due, least] = [100_000_000, 90_000_000]
const units = (amount: number) => baseUnits(String(amount))

const depositTerms = formatDepositTerms({
  chainId: 1,
  token: address,
  amount: BigInt(due),
  least: BigInt(least),
  merchant: address,
  platform: address,
  feeBps: 250,
  deadlineSeconds: windowEndsAtMs / 1000,
  operator: address,
  factory: address,
  salt: `0x${'07'.repeat(32)}`,
})

/** 100.00 are due, and 90.00 are accepted. */
function open() {
  const ledger = createMemoryLedger(newPayment({ due: units(due), least: units(least), depositTerms }))
  let transfers = 0
  const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
    ledger.apply({ atMs: 1, ...event } as PaymentEvent)
  const transferAt = (amount: number, isLate: boolean) =>
    transferOf(String(amount), { txId: `0x${++transfers}`, blockTimeMs: windowEndsAtMs + (isLate ? 1 : -1) })
  return {
    ledger,
    apply,
    see: (amount: number) => void apply({ type: 'transfer.seen', transfer: transferAt(amount, false) }),
    pay(amount: number, isLate = false) {
      const transfer = transferAt(amount, isLate)
      apply({ type: 'transfer.confirmed', transfer })
      return transfer
    },
    sweep: (amount: number, txId = '0xsweep') => apply({ type: 'sweep.confirmed', txId, amount: units(amount) }),
    refund: (amount: number) => apply({ type: 'refund.confirmed', amount: units(amount), txId: '0xback' }),
    /** What merchant and platform got, what is owed back, and what went back. */
    books() {
      const { payment } = ledger
      const { merchant, fee } = sharesOf(payment)
      const refunded = payment.mode === 'deposit' ? Number(payment.refunded) : 0
      return {
        settled: Number(merchant + fee),
        owed: Number(refundableOf(payment)),
        refunded,
      }
    },
  }
}

describe('the rest of a payment that was accepted within the tolerance', () => {
  test.each([false, true])('goes back when it comes after the sweep (late: %s)', (isLate) => {
    const { ledger, apply, pay, sweep, refund, books } = open()
    pay(least)
    sweep(least)
    expect(books()).toEqual({ settled: least, owed: 0, refunded: 0 })
    ledger.effects.length = 0
    pay(due - least, isLate)
    expect(books()).toEqual({ settled: least, owed: due - least, refunded: 0 })
    expect(ledger.effects).toEqual([isLate ? 'payment.late' : 'payment.overpaid'])
    expect([refundStateOf(ledger.payment), attentionOf(ledger.payment)]).toEqual(['address_needed', 'refund_address'])
    apply({ type: 'refund.requested', address })
    expect([Number(planRefund(ledger.payment)), ledger.payment]).toMatchObject([due - least, { refund: 'queued' }])
    refund(due - least)
    expect(books()).toEqual({ settled: least, owed: 0, refunded: due - least })
    expect(ledger.payment.status).toBe('swept')
  })

  test('is shown as money that is owed back, in place of a payment that is complete', () => {
    const { ledger, pay, sweep, refund } = open()
    pay(least)
    sweep(least)
    expect(paymentStateOf(ledger.payment)).toBe('completed')
    pay(1)
    expect(paymentStateOf(ledger.payment)).toBe('overpaid_refunding')
    refund(1)
    expect(paymentStateOf(ledger.payment)).toBe('completed')
  })

  test.each([false, true])('is the merchant’s when it comes before the sweep (late: %s)', (isLate) => {
    const { pay, sweep, books } = open()
    pay(least)
    pay(due - least, isLate)
    expect(books()).toEqual({ settled: due, owed: 0, refunded: 0 })
    sweep(due)
    expect(books()).toEqual({ settled: due, owed: 0, refunded: 0 })
  })

  test('is the merchant’s when the sweep took it before its confirmations', () => {
    const { pay, see, sweep, books } = open()
    pay(least)
    see(due - least)
    sweep(due)
    expect(books()).toEqual({ settled: due, owed: 0, refunded: 0 })
  })

  test('goes back when it was confirmed after the sweep was mined and before the sweep was final', () => {
    const { ledger, pay, sweep, books } = open()
    pay(least)
    pay(due - least)
    expect(books()).toMatchObject({ settled: due, owed: 0 })
    sweep(least)
    expect(books()).toMatchObject({ settled: least, owed: due - least })
    expect(ledger.effects).toContain('payment.overpaid')
  })
})

test('a sweep that a reorg put into another block, where it paid more, is the one that counts', () => {
  const { ledger, pay, sweep, books } = open()
  pay(least)
  sweep(least)
  pay(due - least)
  sweep(due, '0xagain')
  expect(books()).toMatchObject({ settled: due, owed: 0 })
  expect(ledger.payment).toMatchObject({ sweepTxId: '0xagain', status: 'swept' })
  const { version } = ledger.payment
  sweep(due, '0xagain')
  expect(ledger.payment.version).toBe(version)
})

test('a late part that is accepted after another was sent back does not reach the merchant twice', () => {
  const { ledger, apply, pay, refund, books } = open()
  pay(10)
  apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1 })
  refund(10)
  pay(least + 5, true)
  apply({ type: 'late.accepted' })
  expect(ledger.payment.status).toBe('sweeping')
  expect(books()).toEqual({ settled: least + 5, owed: 0, refunded: 10 })
})

test('a sweep of a version that did not store its amount took what had come in time, up to the amount due', () => {
  const { ledger, pay, sweep, books } = open()
  pay(due)
  sweep(due)
  pay(7, true)
  Object.assign(ledger.payment, { sweptAmount: null })
  expect(books()).toEqual({ settled: due, owed: 7, refunded: 0 })
})

test('whatever comes and goes in whatever order, all of it is settled, owed back, sent back or still awaited', () => {
  const step = fc.record({
    kind: fc.constantFrom('pay', 'late', 'sweep', 'refund', 'end', 'accept'),
    amount: fc.integer({ min: 1, max: due }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const { ledger, apply, pay, sweep, refund, books } = open()
      for (const { kind, amount } of steps) {
        const { payment } = ledger
        const there = Number(payment.received + payment.late) - books().refunded
        if (kind === 'pay' || kind === 'late') pay(amount, kind === 'late')
        else if (kind === 'end') apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1 })
        else if (kind === 'accept') apply({ type: 'late.accepted' })
        else if (kind === 'sweep' && payment.status === 'sweeping') sweep(Math.min(there, due))
        else if (kind === 'refund' && planRefund(payment) > 0n) refund(Math.min(amount, Number(planRefund(payment))))
        const { received, late, status } = ledger.payment
        const { settled, owed, refunded } = books()
        if (status !== 'pending') expect(settled + owed + refunded).toBe(Number(received + late))
      }
    }),
  )
})
