import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { zero } from '../core/money.ts'
import { eventsSince, nothingReported } from './invoice-events.ts'
import type { InvoicePayment, InvoiceState } from './invoice-state.ts'

const state: InvoiceState = { status: 'New', additional: 'None', isOver: false, isPartial: true, decider: null }

/** A payment with confirmed transfers. */
function paidWith(name: string, count: number): InvoicePayment {
  const transfers = Array.from({ length: count }, (_, logIndex) => {
    return { ...transferOf('1', { txId: name, logIndex }), state: 'confirmed' as const, isLate: false }
  })
  return { payment: newPayment(), transfers, countedAfterEnd: zero }
}

test('each transfer is reported once, in whatever order the payments of an invoice come, and a hundred at most', () => {
  const [one, other] = [paidWith('one', 60), paidWith('other', 60)]
  const orders = [
    [one, other],
    [other, one],
    [one, other],
  ]
  let reported = nothingReported
  const settled: unknown[] = []
  for (const payments of orders) {
    const { events, now } = eventsSince(reported, state, payments, [])
    for (const { type, fields } of events)
      if (type === 'InvoicePaymentSettled') settled.push((fields['payment'] as { id: string }).id)
    reported = now
  }
  expect([settled.length, new Set(settled).size, reported.settled.length]).toEqual([100, 100, 100])
})
