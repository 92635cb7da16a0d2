import { createMemoryLedger, newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import type { Payment } from './payment.ts'

const due = baseUnits('25000000')

/** A payment that was paid and swept by the transaction `0x5e`. */
function swept() {
  const ledger = paid(newPayment())
  ledger.apply({ type: 'sweep.confirmed', txId: '0x5e', amount: due, atMs: 8 })
  ledger.effects.length = 0
  return ledger
}

function paid(payment: Payment) {
  const ledger = createMemoryLedger(payment)
  ledger.apply({ type: 'transfer.confirmed', transfer: transferOf('25000000'), atMs: 7 })
  return ledger
}

describe('a sweep that a deep reorg took back', () => {
  const undone = (...txIds: string[]): PaymentEvent => ({ type: 'sweep.undone', txIds, atMs: 9 })

  test('is owed again, whichever form of its transaction had been mined', () => {
    const ledger = swept()
    ledger.apply(undone('0xold', '0x5e'))
    expect(ledger.payment).toMatchObject({
      status: 'sweeping',
      sweep: 'queued',
      sweepTxId: null,
      sweptAtMs: null,
      sweptAmount: null,
    })
    expect(ledger.effects).toEqual(['queue-sweep'])
  })

  test('was not this payment’s if another transaction swept it: nothing is paid twice', () => {
    const ledger = swept()
    const { payment } = ledger
    ledger.apply(undone('0xother'))
    expect(ledger.payment).toBe(payment)
    expect(ledger.effects).toEqual([])
  })

  test('changes nothing before a sweep is final, nor of a wallet payment', () => {
    for (const payment of [newPayment(), newPayment({ sweepTxId: '0x5e' }), newContractPayment()]) {
      const ledger = paid(payment)
      const before = ledger.payment
      ledger.apply(undone('0x5e'))
      expect(ledger.payment).toBe(before)
    }
  })

  test('of which no transaction is known stays', () => {
    const payment = newPayment({ status: 'swept', received: due, seen: due, sweep: 'confirmed' })
    const ledger = createMemoryLedger(payment)
    ledger.apply(undone('0x5e'))
    expect(ledger.payment).toBe(payment)
  })
})

describe('a confirmed sweep that is reported again', () => {
  const again = (txId: string, amount?: bigint): PaymentEvent => ({
    type: 'sweep.confirmed',
    txId,
    ...(amount !== undefined && { amount: baseUnits(String(amount)) }),
    atMs: 9,
  })

  test.each([
    ['the same transaction without its amount', again('0x5e')],
    ['the same transaction and amount', again('0x5e', 25_000_000n)],
    ['another transaction without its amount', again('0xother')],
  ])('changes nothing: %s', (_, event) => {
    const ledger = swept()
    const { payment } = ledger
    ledger.apply(event)
    expect(ledger.payment).toBe(payment)
  })

  test('with another amount, or as another transaction, is the one that counts', () => {
    const ledger = swept()
    ledger.apply(again('0x5e', 24_000_000n))
    expect(ledger.payment).toMatchObject({ sweepTxId: '0x5e', sweptAmount: 24_000_000n })
    ledger.apply(again('0xother', 24_000_000n))
    expect(ledger.payment).toMatchObject({ sweepTxId: '0xother', sweptAmount: 24_000_000n, sweptAtMs: 8 })
  })

  test('of a payment that had failed counts its late money as accepted, and of one that was paid does not', () => {
    const failed = createMemoryLedger(newPayment({ status: 'expired', windowEnded: true }))
    failed.apply({ type: 'sweep.confirmed', txId: '0x5e', amount: due, atMs: 8 })
    expect(failed.payment).toMatchObject({ lateTaken: true, sweptAmount: due })
    expect(swept().payment).toMatchObject({ lateTaken: false })
  })
})

test.each<PaymentEvent[]>([
  [
    { type: 'transfer.reverted', transfer: transferOf('25000000'), atMs: 9 },
    { type: 'transfer.confirmed', transfer: transferOf('25000000', { blockNumber: 11 }), atMs: 9 },
  ],
  [
    { type: 'sweep.confirmed', txId: '0x5e', amount: due, atMs: 9 },
    { type: 'sweep.undone', txIds: ['0x5e'], atMs: 9 },
  ],
])('a sweep that is queued anew after a reorg is not deferred because the one before it was: %o', (...events) => {
  const ledger = paid(newPayment())
  ledger.apply({ type: 'sweep.waiting', isWaiting: true, atMs: 8 })
  for (const event of events) ledger.apply(event)
  expect(ledger.payment).toMatchObject({ sweep: 'queued', sweepWaits: false })
})

describe('a sweep that failed', () => {
  const failed = (isGivenUp: boolean): PaymentEvent => ({ type: 'sweep.failed', isGivenUp, atMs: 9 })

  test('waits for a person only when it is given up, and is reported once', () => {
    const ledger = paid(newPayment())
    ledger.apply(failed(false))
    expect(ledger.payment).toMatchObject({ sweep: 'failing', status: 'sweeping' })
    ledger.apply(failed(true))
    expect(ledger.payment).toMatchObject({ sweep: 'failed', status: 'sweep_failed' })
    ledger.apply(failed(true))
    expect(ledger.effects.filter((effect) => effect === 'deposit.sweep_failed')).toHaveLength(1)
  })

  test.each([
    ['was never queued', createMemoryLedger(newPayment())],
    ['is final by another transaction', swept()],
    ['is of a wallet payment', paid(newContractPayment())],
  ])('changes nothing if it %s', (_, ledger) => {
    const { payment } = ledger
    ledger.apply(failed(true))
    expect(ledger.payment).toBe(payment)
  })
})
