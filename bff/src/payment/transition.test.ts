import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent, Transfer } from './event.ts'
import { outcomeOf, type Payment } from './payment.ts'
import { isPaid, paymentStateOf } from './payment-sums.ts'

const at = { atMs: 1 }
const seen = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.seen', transfer, ...at })
const confirmed = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.confirmed', transfer, ...at })
const reverted = (transfer: Transfer): PaymentEvent => ({ type: 'transfer.reverted', transfer, ...at })
const ended: PaymentEvent = { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1000, ...at }
const closed = (as: 'failed' | 'cancelled' | 'expired'): PaymentEvent => ({ type: 'payment.closed', as, ...at })
const swept: PaymentEvent = { type: 'sweep.confirmed', txId: '0x5e', ...at }
const sweepFailed = (isGivenUp: boolean): PaymentEvent => ({ type: 'sweep.failed', isGivenUp, ...at })
const full = transferOf('25000000')
const lateBlock = { blockNumber: 901, blockTimeMs: 901_000 }

/** Applies the events in order and shows what a merchant sees. */
function after(...events: PaymentEvent[]) {
  const ledger = createMemoryLedger(newPayment())
  for (const event of events) ledger.apply(event)
  const { payment, effects } = ledger
  return {
    payment,
    effects,
    status: payment.status,
    outcome: outcomeOf(payment),
    paymentState: paymentStateOf(payment),
  }
}

describe('a deposit payment', () => {
  test('is seen, confirmed, swept, and emits each of it once', () => {
    const story = after(seen(full), confirmed(full), swept)
    expect(story).toMatchObject({ status: 'swept', outcome: 'paid', paymentState: 'completed' })
    expect(story.effects).toEqual(['payment.detected', 'queue-sweep', 'payment.completed', 'deposit.swept'])
  })

  test('waits for confirmations: what is only seen pays nothing', () => {
    expect(after(seen(full))).toMatchObject({ status: 'pending', outcome: 'pending', paymentState: 'awaiting' })
  })

  test('stays open when too little came, says so once, and completes when the difference arrives', () => {
    const [first, second] = [transferOf('10000000'), transferOf('15000000', { blockNumber: 12 })]
    expect(after(seen(first))).toMatchObject({ outcome: 'pending', paymentState: 'underpaid' })
    const story = after(seen(first), confirmed(first), seen(second), confirmed(second))
    expect(story).toMatchObject({ outcome: 'paid', paymentState: 'completed' })
    expect(story.effects.filter((effect) => effect === 'payment.underpaid')).toHaveLength(1)
  })

  test('does not ask for the rest again while the rest waits for confirmations', () => {
    const [first, second] = [transferOf('10000000'), transferOf('15000000', { blockNumber: 12 })]
    const story = after(seen(first), seen(second), confirmed(first), confirmed(second))
    expect(story.effects.filter((effect) => effect === 'payment.underpaid')).toHaveLength(1)
  })

  test('is paid when too much came, and the excess is known', () => {
    const story = after(seen(transferOf('30000000')), confirmed(transferOf('30000000')))
    expect(story).toMatchObject({ outcome: 'paid', paymentState: 'overpaid_refunding' })
    expect(story.effects).toContain('payment.overpaid')
  })

  test('expires when the window ends with nothing there, and not before', () => {
    const early: PaymentEvent = { type: 'window.ended', blockTimeMs: windowEndsAtMs, ...at }
    expect(after(early)).toMatchObject({ status: 'pending', effects: [] })
    expect(after(ended)).toMatchObject({
      status: 'expired',
      outcome: 'failed',
      paymentState: 'awaiting',
      effects: ['payment.expired'],
    })
  })

  test('expires underpaid: what arrived is being returned', () => {
    const short = transferOf('10000000')
    expect(after(seen(short), confirmed(short), ended)).toMatchObject({
      status: 'expired',
      paymentState: 'expired_refunding',
    })
  })

  test('does not expire while enough money of the window waits for confirmations', () => {
    expect(after(seen(full), ended)).toMatchObject({ status: 'pending' })
    expect(after(seen(full), ended, confirmed(full))).toMatchObject({ outcome: 'paid' })
    expect(after(seen(full), ended, reverted(full))).toMatchObject({ status: 'expired' })
  })

  test('is not paid by money whose block is younger than the window, and reports it as late', () => {
    const late = transferOf('25000000', lateBlock)
    const story = after(ended, seen(late), confirmed(late))
    expect(story).toMatchObject({ status: 'expired', outcome: 'failed', paymentState: 'expired_refunding' })
    expect(story.effects).toEqual(['payment.expired', 'payment.late'])
  })

  test('counts the last second of the window', () => {
    const lastSecond = transferOf('25000000', { blockTimeMs: windowEndsAtMs })
    expect(after(seen(lastSecond), confirmed(lastSecond))).toMatchObject({ outcome: 'paid' })
  })

  test('that a reorg takes back is open again, its sweep is called off, and it is paid again', () => {
    const again = transferOf('25000000', { blockNumber: 14 })
    const taken = after(seen(full), confirmed(full), reverted(full))
    expect(taken).toMatchObject({
      status: 'pending',
      outcome: 'pending',
      payment: { sweep: 'none', lastBlock: null, detectedAtMs: null },
    })
    expect(taken.effects.slice(3)).toEqual(['payment.reorged', 'cancel-sweep'])
    expect(after(seen(full), confirmed(full), reverted(full), seen(again), confirmed(again))).toMatchObject({
      outcome: 'paid',
    })
  })

  test('follows a transfer that a reorg moved to another block', () => {
    const moved = transferOf('25000000', { blockNumber: 11 })
    const story = after(seen(full), confirmed(full), seen(moved))
    expect(story).toMatchObject({ status: 'pending', payment: { received: 0n, seen: 25_000_000n, lastBlock: 11 } })
    expect(after(seen(full), seen(moved), reverted(full))).toMatchObject({ payment: { seen: 25_000_000n } })
  })

  test('can be ended by hand while nothing was seen, once', () => {
    expect(after(closed('cancelled'))).toMatchObject({
      status: 'cancelled',
      outcome: 'failed',
      effects: ['payment.cancelled'],
    })
    expect(after(closed('failed'), closed('expired'))).toMatchObject({ status: 'failed' })
    expect(after(seen(transferOf('1')), closed('failed'))).toMatchObject({ status: 'pending' })
  })

  test('that was ended by hand reports money as late, and stays failed', () => {
    expect(after(closed('failed'), seen(full), confirmed(full))).toMatchObject({
      outcome: 'failed',
      payment: { late: 25_000_000n },
    })
  })

  test('stays paid while its sweep fails, is given up and succeeds after all', () => {
    const paid = [seen(full), confirmed(full)]
    expect(after(...paid, sweepFailed(false))).toMatchObject({
      status: 'sweeping',
      outcome: 'paid',
      payment: { sweep: 'failing' },
    })
    const story = after(...paid, sweepFailed(false), sweepFailed(true), swept)
    expect(story).toMatchObject({ status: 'swept', outcome: 'paid' })
    expect(story.effects.slice(3)).toEqual(['deposit.sweep_failed', 'deposit.swept'])
  })

  test('accepts a little less where the merchant said so', () => {
    const ledger = createMemoryLedger(newPayment({ least: baseUnits('24900000') }))
    const short = transferOf('24950000')
    ledger.apply(seen(short))
    ledger.apply(confirmed(short))
    expect(outcomeOf(ledger.payment)).toBe('paid')
  })

  test('ignores transfers of nothing', () => {
    expect(after(seen(transferOf('0')), confirmed(transferOf('0')))).toMatchObject({
      payment: { version: 1 },
      effects: [],
    })
  })
})

/** A few transfers in two places each, so that repeats, moves and reverts meet. */
const someTransfer = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c'),
    place: fc.constantFrom(10, 11, 905),
  })
  .map(({ id, place }) =>
    transferOf({ a: '10000000', b: '15000000', c: '25000000' }[id] ?? '1', { txId: `0x${id}`, blockNumber: place }),
  )
const someEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  { weight: 4, arbitrary: someTransfer.map(seen) },
  { weight: 4, arbitrary: someTransfer.map(confirmed) },
  { weight: 3, arbitrary: someTransfer.map(reverted) },
  fc.constant(ended),
  fc.constant(closed('failed')),
  fc.boolean().map(sweepFailed),
)

/** What the sums must be, from the transfers alone. */
function fold(transfers: { state: string; isLate: boolean; amount: bigint }[]) {
  const total = (wanted: (transfer: { state: string; isLate: boolean }) => boolean) =>
    transfers.filter(wanted).reduce((sum, transfer) => sum + transfer.amount, 0n)
  return {
    seen: total((transfer) => !transfer.isLate && transfer.state !== 'reverted'),
    received: total((transfer) => !transfer.isLate && transfer.state === 'confirmed'),
    late: total((transfer) => transfer.isLate && transfer.state === 'confirmed'),
  }
}

function sumsOf({ seen: s, received, late }: Payment) {
  return { seen: s, received, late }
}

describe('no order of events', () => {
  test('loses or doubles money: the sums are always those of the canonical transfers', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 40 }), (events) => {
        const ledger = createMemoryLedger(newPayment())
        for (const event of events) {
          ledger.apply(event)
          expect(sumsOf(ledger.payment)).toEqual(fold([...ledger.transfers.values()]))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('shows a transfer that is not in the chain, or not the newest: confirmations would be counted from it', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 40 }), (events) => {
        const ledger = createMemoryLedger(newPayment())
        for (const event of events) {
          ledger.apply(event)
          const canonical = [...ledger.transfers.values()].filter(({ state }) => state !== 'reverted')
          const { lastBlock, lastTxId, seen: inWindow, late } = ledger.payment
          const isCounted = inWindow > 0n || late > 0n
          const newest = isCounted ? Math.max(...canonical.map(({ blockNumber }) => blockNumber)) : null
          expect(lastBlock).toBe(newest)
          const shown = canonical.filter(({ txId }) => txId === lastTxId).map(({ blockNumber }) => blockNumber)
          expect(shown).toEqual(newest === null ? [] : [newest])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('makes a payment paid without its money, or leaves it unpaid with it', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 40 }), (events) => {
        const ledger = createMemoryLedger(newPayment())
        for (const event of events) {
          ledger.apply(event)
          expect(outcomeOf(ledger.payment) === 'paid').toBe(ledger.payment.received >= ledger.payment.least)
          expect(isPaid(ledger.payment)).toBe(ledger.payment.mode === 'deposit' && ledger.payment.sweep !== 'none')
        }
      }),
      { numRuns: 500 },
    )
  })

  test('emits or owes anything for an event that was applied before', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 30 }), someEvent, (events, event) => {
        const ledger = createMemoryLedger(newPayment())
        for (const earlier of events) ledger.apply(earlier)
        ledger.apply(event)
        const before = ledger.payment
        expect(ledger.apply(event)).toEqual({ payment: before, effects: [] })
      }),
      { numRuns: 500 },
    )
  })

  test('decides how it ends: the same facts in any order give the same status and sums', () => {
    const facts = [
      seen(transferOf('10000000', { txId: '0xa' })),
      confirmed(transferOf('10000000', { txId: '0xa' })),
      confirmed(transferOf('15000000', { txId: '0xb' })),
      ended,
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (order) => {
        expect(after(...order)).toMatchObject({
          status: 'sweeping',
          payment: { received: 25_000_000n, seen: 25_000_000n },
        })
      }),
    )
  })
})

describe('a contract payment', () => {
  const story = (...events: PaymentEvent[]) => {
    const ledger = createMemoryLedger(newContractPayment())
    for (const event of events) ledger.apply(event)
    return { ...ledger.payment, effects: ledger.effects }
  }

  test('is completed when it is confirmed, and nothing is left to forward', () => {
    expect(story(seen(full), confirmed(full))).toMatchObject({
      status: 'completed',
      effects: ['payment.detected', 'payment.completed'],
    })
  })

  test('knows no sweep: events of one change nothing', () => {
    const { version } = story(seen(full), confirmed(full))
    expect(story(seen(full), confirmed(full), swept, sweepFailed(true))).toMatchObject({ status: 'completed', version })
    expect(story(swept)).toMatchObject({ status: 'pending', version: 1 })
  })

  test('is pending again when a reorg takes it back, and its money is late after the window', () => {
    expect(story(seen(full), confirmed(full), reverted(full))).toMatchObject({ status: 'pending', received: 0n })
    const late = transferOf('25000000', lateBlock)
    expect(story(ended, seen(late), confirmed(late))).toMatchObject({ status: 'expired', late: 25_000_000n })
  })

  test('is short when the token kept a fee, and says so', () => {
    const short = transferOf('24000000')
    expect(story(seen(short), confirmed(short))).toMatchObject({
      status: 'pending',
      effects: ['payment.detected', 'payment.underpaid'],
    })
  })

  test('is paid exactly while its money is there, whatever the order of events', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 40 }), (events) => {
        const ledger = createMemoryLedger(newContractPayment())
        for (const event of events) {
          ledger.apply(event)
          expect(sumsOf(ledger.payment)).toEqual(fold([...ledger.transfers.values()]))
          expect(ledger.payment.status === 'completed').toBe(ledger.payment.received >= ledger.payment.least)
        }
        expect(ledger.effects).not.toContain('queue-sweep')
      }),
      { numRuns: 200 },
    )
  })
})
