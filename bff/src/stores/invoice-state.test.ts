import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { zero } from '../core/money.ts'
import { type InvoiceFacts, isAfterEnd, stateOf } from './invoice-state.ts'

const { due, windowEndsAtMs } = newPayment()

type Changes = Parameters<typeof newPayment>[0]

/** The state of an invoice whose link and payments have ended. */
function endedWith(...payments: Changes[]) {
  const facts: InvoiceFacts = {
    link: { expiresAtMs: 1, endedAtMs: null },
    payments: payments.map((changes) => {
      return { payment: newPayment({ status: 'expired', ...changes }), transfers: [], countedAfterEnd: zero }
    }),
    marked: null,
    wasSettled: false,
  }
  const { status, additional } = stateOf(facts, windowEndsAtMs + 1)
  return [status, additional]
}

describe('late money in full', () => {
  test('makes the invoice paid late, so that the shop ships', () => {
    expect(endedWith({ late: due })).toEqual(['Expired', 'PaidLate'])
  })

  test.each<[string, Changes]>([
    ['was sent back', { lateReturned: true }],
    ['is on its way back', { refunding: due }],
    ['went back, and nothing says that it was late', { refunded: due }],
  ])('that %s lets the shop ship nothing', (_, changes) => {
    expect(endedWith({ late: due, ...changes })).toEqual(['Expired', 'PaidPartial'])
  })

  test('counts though the customer had sent more of another token before, which is not enough', () => {
    const other = { currency: 'USDT', tokenDecimals: 18, due, least: due, received: zero, late: zero }
    expect(endedWith({ ...other, seen: due }, { late: due })).toEqual(['Expired', 'PaidLate'])
  })
})

test.each([
  [1, 2],
  [2, 1],
])('of payments opened at %d and at %d that got equal shares, the newest decides', (...openedAtMs) => {
  const payments = openedAtMs.map((createdAtMs) => {
    return { payment: newPayment({ createdAtMs }), transfers: [], countedAfterEnd: zero }
  })
  const { decider } = stateOf(
    { link: { expiresAtMs: null, endedAtMs: null }, payments, marked: null, wasSettled: false },
    1,
  )
  expect(decider?.payment.createdAtMs).toBe(2)
})

test.each([
  ['Processing', zero],
  ['New', due],
])(
  'an invoice is %s while all of its money waits for confirmations, and %s of it was refunded',
  (status, refundedByMerchant) => {
    const payment = newPayment({ isDirect: true, seen: due, refundedByMerchant })
    const payments = [{ payment, transfers: [], countedAfterEnd: zero }]
    const facts = { link: { expiresAtMs: null, endedAtMs: null }, payments, marked: null, wasSettled: false }
    expect(stateOf(facts, 1).status).toBe(status)
  },
)

test.each([
  [false, windowEndsAtMs, false],
  [false, windowEndsAtMs + 1, true],
  [true, windowEndsAtMs, true],
])('a transfer that is late: %s, in a block of %d, came after the end: %s', (isLate, blockTimeMs, isAfter) => {
  const transfer = { isLate, blockTimeMs } as Parameters<typeof isAfterEnd>[1]
  expect(isAfterEnd(newPayment(), transfer)).toBe(isAfter)
})
