import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import { outcomeOf } from './payment.ts'
import { refundableOf } from './payment-sums.ts'

const at = { atMs: 1 }
const due = 25_000_000
const ended: PaymentEvent = { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, ...at }
const tolerant = (least: number) => createMemoryLedger(newPayment({ least: baseUnits(String(least)) }))

/** So much was seen in the window, the window ends, and then the transfer has its confirmations. */
function story(amount: number, least: number) {
  const ledger = tolerant(least)
  const transfer = transferOf(String(amount))
  ledger.apply({ type: 'transfer.seen', transfer, ...at })
  ledger.apply(ended)
  const { status: atEnd } = ledger.payment
  ledger.apply({ type: 'transfer.confirmed', transfer, ...at })
  return { atEnd, status: ledger.payment.status, outcome: outcomeOf(ledger.payment), effects: ledger.effects }
}

describe('a payment that accepts less than what is due', () => {
  test('stays open at the end of its window while enough of it waits for confirmations, and is paid by them', () => {
    const exact = story(24_750_000, 24_750_000)
    expect(exact).toMatchObject({ atEnd: 'pending', status: 'sweeping', outcome: 'paid' })
    expect(exact.effects).not.toContain('payment.expired')
  })

  test('expires with one unit less, whatever is confirmed after it', () => {
    const short = story(24_749_999, 24_750_000)
    expect(short).toMatchObject({ atEnd: 'expired', status: 'expired', outcome: 'failed' })
    expect(short.effects).toContain('payment.expired')
    expect(short.effects).not.toContain('payment.completed')
  })

  test('is paid by what came in its window exactly where that is the least or more, for any sum and tolerance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: due }), fc.integer({ min: -3, max: 3 }), (least, off) => {
        const amount = Math.max(1, least + off)
        const isEnough = amount >= least
        expect(story(amount, least)).toMatchObject({
          atEnd: isEnough ? 'pending' : 'expired',
          outcome: isEnough ? 'paid' : 'failed',
        })
      }),
    )
  })
})

test('of an open payment nothing is owed but what came beyond what is due, and after its window', () => {
  const open = (sums: { received?: string; late?: string }) => {
    const { received = '0', late = '0' } = sums
    return refundableOf(newPayment({ received: baseUnits(received), seen: baseUnits(received), late: baseUnits(late) }))
  }
  expect([open({}), open({ received: '10000000' }), open({ received: '25000000' })]).toEqual([0n, 0n, 0n])
  expect([open({ received: '25000001' }), open({ late: '7' }), open({ received: '25000001', late: '7' })]).toEqual([
    ...[1n, 7n, 8n],
  ])
})

test('late money that somebody else has settled to the merchant is the merchant’s: the payment is paid by it', () => {
  const ledger = createMemoryLedger(newPayment())
  ledger.apply(ended)
  const late = transferOf('25000000', { blockTimeMs: windowEndsAtMs + 1 })
  ledger.apply({ type: 'transfer.confirmed', transfer: late, ...at })
  expect(ledger.payment).toMatchObject({ status: 'expired', lateTaken: false, late: 25_000_000n })
  ledger.apply({ type: 'sweep.confirmed', txId: '0x5', amount: baseUnits('25000000'), ...at })
  expect(ledger.payment).toMatchObject({ status: 'swept', lateTaken: true, sweptAmount: 25_000_000n })
  expect(refundableOf(ledger.payment)).toBe(0n)
})
