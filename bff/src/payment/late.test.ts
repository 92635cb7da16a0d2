import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaymentEvent, Transfer } from './event.ts'
import { canBePaidLate, lateWindowMs, outcomeOf, type Payment } from './payment.ts'
import { isPaid } from './payment-sums.ts'

const at = { atMs: 1 }
const acceptedUntilMs = windowEndsAtMs + lateWindowMs
const seen = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.seen', transfer, ...at })
const confirmed = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.confirmed', transfer, ...at })
const reverted = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.reverted', transfer, ...at })
const closed: PaymentEvent = { type: 'payment.closed', as: 'failed', ...at }
const ended: PaymentEvent = { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, ...at }
const lateEnded: PaymentEvent = { type: 'window.ended', blockTimeMs: acceptedUntilMs + 1, ...at }

const inTime = (amount: string) => transferOf(amount, { txId: '0x1', blockNumber: 10 })
const late = (amount: string) => transferOf(amount, { txId: '0x2', blockNumber: 901 })
const tooLate = transferOf('25000000', { txId: '0x3', blockNumber: 902, blockTimeMs: acceptedUntilMs + 1 })

const accepting = () => newPayment({ acceptedUntilMs })

function after(payment: Payment, ...events: PaymentEvent[]) {
  const ledger = createMemoryLedger(payment)
  for (const event of events) ledger.apply(event)
  const { effects } = ledger
  return { effects, ...ledger.payment, outcome: outcomeOf(ledger.payment), isOpen: canBePaidLate(ledger.payment) }
}

test('full late money makes an expired payment paid, where the merchant accepts it', () => {
  expect(after(accepting(), ended)).toMatchObject({ status: 'expired', outcome: 'failed', isOpen: true })
  const paid = after(accepting(), ended, seen(late('25000000')), confirmed(late('25000000')))
  expect(paid).toMatchObject({ status: 'sweeping', outcome: 'paid', isOpen: false, late: 0n })
  expect(paid.effects).toEqual([
    ...['payment.expired', 'payment.detected', 'payment.late', 'queue-sweep', 'payment.completed'],
  ])
  const contract = newContractPayment({ acceptedUntilMs })
  expect(after(contract, ended, confirmed(late('25000000')))).toMatchObject({ status: 'completed' })
})

test('what is late and not yet confirmed is waited for, and what a reorg takes back leaves it expired', () => {
  const full = late('25000000')
  expect(after(accepting(), ended, seen(full))).toMatchObject({ status: 'pending', outcome: 'pending' })
  expect(after(accepting(), ended, seen(full), lateEnded)).toMatchObject({ status: 'pending' })
  expect(after(accepting(), ended, seen(full), lateEnded, confirmed(full))).toMatchObject({ outcome: 'paid' })
  const taken = after(accepting(), ended, seen(full), confirmed(full), reverted(full))
  expect(taken).toMatchObject({ status: 'expired', isOpen: true, sweep: 'none' })
})

test('the rest of what came in time may come late, and late money that stays short is only reported', () => {
  const short = [confirmed(inTime('10000000')), ended]
  expect(after(accepting(), ...short, confirmed(late('15000000')))).toMatchObject({ outcome: 'paid' })
  const shortLate = after(accepting(), ...short, confirmed(late('14999999')))
  expect(shortLate).toMatchObject({ status: 'expired', isOpen: true, received: 24_999_999n })
  expect(shortLate.effects.filter((effect) => effect === 'payment.late')).toHaveLength(1)
})

test('after the late window the answer is final, and money that comes then pays nothing', () => {
  const over = after(accepting(), ended, lateEnded)
  expect(over).toMatchObject({ status: 'expired', isOpen: false, effects: ['payment.expired'] })
  expect(after(accepting(), ended, lateEnded, confirmed(tooLate))).toMatchObject({
    ...{ status: 'expired', late: 25_000_000n, received: 0n },
    effects: ['payment.expired', 'payment.late'],
  })
})

test('a payment that was ended by hand stays ended, also where late money is accepted', () => {
  expect(after(accepting(), closed, confirmed(late('25000000')))).toMatchObject({
    ...{ status: 'failed', isOpen: false, late: 25_000_000n },
  })
})

test('without that setting late money is reported', () => {
  expect(after(newPayment(), ended, confirmed(late('25000000')))).toMatchObject({
    ...{ status: 'expired', isOpen: false, late: 25_000_000n },
    effects: ['payment.expired', 'payment.late'],
  })
})

const someTransfer = fc.constantFrom(
  ...[inTime('10000000'), inTime('25000000'), late('15000000'), late('25000000'), tooLate],
)
const someEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  { weight: 3, arbitrary: someTransfer.map(seen) },
  { weight: 3, arbitrary: someTransfer.map(confirmed) },
  { weight: 2, arbitrary: someTransfer.map(reverted) },
  fc.constantFrom(ended, lateEnded, closed),
)
const someEvents = fc.array(someEvent, { maxLength: 40 })

test('in any order it is paid exactly while money that counts is confirmed, and final only when nothing counts any more', () => {
  fc.assert(
    fc.property(someEvents, someTransfer, (events, next) => {
      const ledger = createMemoryLedger(accepting())
      for (const event of events) {
        ledger.apply(event)
        const counted = [...ledger.transfers.values()].filter(({ state, isLate }) => state === 'confirmed' && !isLate)
        const total = counted.reduce((sum, { amount }) => sum + amount, 0n)
        expect(ledger.payment.received).toBe(total)
        expect(outcomeOf(ledger.payment) === 'paid').toBe(total >= ledger.payment.least)
        if (ledger.payment.closedAs !== null) expect(canBePaidLate(ledger.payment)).toBe(false)
      }
      // A payment without money whose late window is over cannot be paid by any block that may still come.
      const isOver = ledger.payment.lateEnded && ledger.payment.seen === 0n
      ledger.apply(confirmed({ ...next, blockTimeMs: acceptedUntilMs + 1 }))
      if (isOver) expect(isPaid(ledger.payment)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('an event that was applied before emits nothing', () => {
  fc.assert(
    fc.property(someEvents, someEvent, (events, event) => {
      const ledger = createMemoryLedger(accepting())
      for (const earlier of events) ledger.apply(earlier)
      ledger.apply(event)
      const before = ledger.payment
      expect(ledger.apply(event)).toEqual({ payment: before, effects: [] })
    }),
    { numRuns: 500 },
  )
})
