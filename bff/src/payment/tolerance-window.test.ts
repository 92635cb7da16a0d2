import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '../../test/new-payment.ts'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import { outcomeOf } from './payment.ts'

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
