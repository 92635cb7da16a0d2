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

/** The ids of the transfers that are reported as settled by these events. */
const settledIds = ({ events }: ReturnType<typeof eventsSince>) =>
  events.flatMap(({ type, fields }) =>
    type === 'InvoicePaymentSettled' ? [(fields['payment'] as { id: string }).id] : [],
  )

test('a hundred transfers of dust hide no payment, neither of the same address nor of another one', () => {
  const dust = paidWith('dust', 100)
  const first = eventsSince(nothingReported, state, [dust], [])
  const large = { ...transferOf('250000', { txId: 'large' }), state: 'confirmed' as const, isLate: false }
  const more = { ...paidWith('more', 100), transfers: [...paidWith('more', 100).transfers, large] }
  const price = { ...transferOf('25000000', { txId: 'paid' }), state: 'confirmed' as const, isLate: false }
  const paid = { ...paidWith('paid', 0), transfers: [price] }
  const second = eventsSince(first.now, state, [paid, dust, more], [])
  expect([settledIds(first).length, settledIds(second)]).toEqual([100, ['paid-0', 'large-0']])
  expect(settledIds(eventsSince(second.now, state, [paid, dust, more], []))).toEqual([])
})

test('a transfer that is not read for a while, or that a reorg returns, is reported once', () => {
  const paid = paidWith('paid', 2)
  const first = eventsSince(nothingReported, state, [paid], [])
  const without = eventsSince(first.now, state, [{ ...paid, transfers: paid.transfers.slice(1) }], [])
  expect([
    settledIds(first).length,
    settledIds(without),
    settledIds(eventsSince(without.now, state, [paid], [])),
  ]).toEqual([2, [], []])
})

test('a refund is reported once, although a reorg makes its payment pending for a while', () => {
  const read = (before: ReturnType<typeof eventsSince>['now'], refunds: string[]) =>
    eventsSince(before, state, [paidWith('paid', 1)], refunds)
  const first = read(nothingReported, ['r1'])
  const without = read(first.now, [])
  const refundsOf = ({ events }: ReturnType<typeof eventsSince>) =>
    events.flatMap(({ type, fields }) => (type === 'InvoiceRefund' ? [fields['pullPaymentId']] : []))
  expect([refundsOf(first), refundsOf(without), refundsOf(read(without.now, ['r1', 'r2']))]).toEqual([
    ['r1'],
    [],
    ['r2'],
  ])
})
