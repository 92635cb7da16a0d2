import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'
import { lateWindowMs, type Payment } from './payment.ts'

const units = (amount: number) => baseUnits(String(amount))
const due = 25_000_000
type Changes = Partial<PaymentEvent> & { type: PaymentEvent['type'] }

function open(payment: Payment = newPayment()) {
  const ledger = createMemoryLedger(payment)
  let [atMs, count] = [0, 0]
  const apply = (event: Changes) => {
    atMs += 1
    const before = ledger.payment
    ledger.effects.length = 0
    ledger.apply({ atMs, ...event } as PaymentEvent)
    return ledger.payment !== before
  }
  const transferOn = (blockTimeMs: number, amount: number) => {
    count += 1
    return transferOf(String(amount), { txId: `0x${count}`, blockTimeMs })
  }
  const story = {
    ...{ ledger, apply },
    effects: () => [...ledger.effects],
    now: () => ledger.payment,
    see(amount: number, blockTimeMs = 10_000) {
      const transfer = transferOn(blockTimeMs, amount)
      apply({ type: 'transfer.seen', transfer })
      return transfer
    },
    pay(amount: number, blockTimeMs = 10_000) {
      const transfer = transferOn(blockTimeMs, amount)
      apply({ type: 'transfer.confirmed', transfer })
      return transfer
    },
    revert: (transfer: ReturnType<typeof transferOf>) => apply({ type: 'transfer.reverted', transfer }),
    expire: (blockTimeMs = windowEndsAtMs + 1) => apply({ type: 'window.ended', blockTimeMs }),
    close: (as: 'failed' | 'cancelled' | 'expired' = 'failed') => apply({ type: 'payment.closed', as }),
    sweep: (txId = '0x5e') => apply({ type: 'sweep.confirmed', txId }),
    request: () => apply({ type: 'refund.requested', address: '0xpayer' }),
    send: (amount: number) => apply({ type: 'refund.sent', amount: units(amount) }),
    drop: (amount: number) => apply({ type: 'refund.dropped', amount: units(amount) }),
    refund: (amount: number) => apply({ type: 'refund.confirmed', amount: units(amount), txId: '0xback' }),
    failRefund: (isGivenUp = false) => apply({ type: 'refund.failed', isGivenUp }),
  }
  return story
}

test('a transfer is stored as seen, as confirmed and as reverted', () => {
  const { see, apply, revert, ledger } = open()
  const transfer = see(5)
  const state = () => [...ledger.transfers.values()].map((one) => one.state)
  expect(state()).toEqual(['seen'])
  apply({ type: 'transfer.confirmed', transfer })
  expect(state()).toEqual(['confirmed'])
  expect([revert(transfer), revert(transfer)]).toEqual([true, false])
  expect(state()).toEqual(['reverted'])
})

test('of two transfers in one block the one that moved last is shown', () => {
  const { see, apply, now } = open()
  const [first, second] = [see(5), see(6)]
  expect(now().lastTxId).toBe(second.txId)
  apply({ type: 'transfer.confirmed', transfer: first })
  expect(now().lastTxId).toBe(first.txId)
})

describe('the time of detection and of confirmation', () => {
  test('is that of the first of each, and is taken back with the money', () => {
    const { see, apply, pay, now, revert } = open()
    expect(now()).toMatchObject({ detectedAtMs: null, confirmedAtMs: null })
    const transfer = see(due)
    expect(now()).toMatchObject({ detectedAtMs: 1, confirmedAtMs: null })
    apply({ type: 'transfer.confirmed', transfer })
    expect(now()).toMatchObject({ detectedAtMs: 1, confirmedAtMs: 2 })
    pay(5)
    expect(now()).toMatchObject({ detectedAtMs: 1, confirmedAtMs: 2 })
    revert(transfer)
    expect(now()).toMatchObject({ detectedAtMs: 1, confirmedAtMs: null })
  })

  test('is known of a payment that was paid by late money alone', () => {
    const { pay, expire, apply, now } = open()
    expire()
    pay(due, windowEndsAtMs + 1)
    expect(now()).toMatchObject({ detectedAtMs: null })
    apply({ type: 'late.accepted' })
    expect(now()).toMatchObject({ seen: 0n, detectedAtMs: 3, confirmedAtMs: 3 })
  })
})

describe('the end of the time in which late money pays', () => {
  test('is after its last moment, and never comes where late money does not pay', () => {
    const acceptedUntilMs = windowEndsAtMs + lateWindowMs
    const accepting = open(newPayment({ acceptedUntilMs }))
    accepting.expire()
    expect(accepting.expire(acceptedUntilMs)).toBe(false)
    expect(accepting.now()).toMatchObject({ windowEnded: true, lateEnded: false })
    expect(accepting.expire(acceptedUntilMs + 1)).toBe(true)
    expect(accepting.now()).toMatchObject({ lateEnded: true })
    const other = open()
    other.expire(acceptedUntilMs + 1)
    expect(other.now()).toMatchObject({ windowEnded: true, lateEnded: false })
  })

  test('leaves money of the window’s last moment in time: it is not reported as late', () => {
    const { pay, effects } = open(newPayment({ acceptedUntilMs: windowEndsAtMs + lateWindowMs }))
    pay(10, windowEndsAtMs)
    expect(effects()).not.toContain('payment.late')
    pay(10_000, windowEndsAtMs + 1)
    expect(effects()).toContain('payment.late')
  })
})

describe('an end by hand', () => {
  test('is emitted by its name', () => {
    for (const as of ['failed', 'cancelled', 'expired'] as const) {
      const { close, effects, now } = open()
      close(as)
      expect([now().status, effects()]).toEqual([as, [`payment.${as}`]])
    }
  })

  test('changes nothing of a payment that is over: expired, or paid by late money alone', () => {
    const expired = open()
    expired.expire()
    expect([expired.close(), expired.now().status]).toEqual([false, 'expired'])
    const taken = open()
    taken.expire()
    taken.pay(due, windowEndsAtMs + 1)
    taken.apply({ type: 'late.accepted' })
    expect([taken.close(), taken.now().status]).toEqual([false, 'sweeping'])
  })
})

describe('a sweep', () => {
  test('is the first transaction that is final: a second one changes nothing', () => {
    const { pay, sweep, now } = open()
    pay(due)
    expect([sweep('0x1'), sweep('0x2')]).toEqual([true, false])
    expect(now()).toMatchObject({ sweepTxId: '0x1', status: 'swept' })
  })

  test('waits for its gas and goes on, each said once', () => {
    const { pay, apply, now, effects } = open()
    pay(due)
    const wait = (isWaiting: boolean) => apply({ type: 'sweep.waiting', isWaiting })
    expect([wait(false), wait(true), wait(true)]).toEqual([false, true, false])
    expect(now()).toMatchObject({ sweepWaits: true, status: 'sweeping', received: 25_000_000n })
    expect([wait(false), now()]).toMatchObject([true, { sweepWaits: false }])
    expect(effects()).toEqual([])
  })
})

test('a wallet payment is moved by nothing that is of deposits', () => {
  const { apply, sweep, request, send, drop, refund, failRefund, pay, expire, now } = open(newContractPayment())
  expire()
  pay(due, windowEndsAtMs + 1)
  const { version } = now()
  const moves = [
    ...[sweep(), request(), send(5), drop(5), refund(5), failRefund()],
    ...[apply({ type: 'sweep.waiting', isWaiting: true }), apply({ type: 'sweep.failed', isGivenUp: true })],
    apply({ type: 'late.returned' }),
  ]
  expect(moves).toEqual(moves.map(() => false))
  expect(now().version).toBe(version)
})

describe('money on its way back', () => {
  test('pays nothing until it is dropped, and a drop of nothing changes nothing', () => {
    const { pay, see, expire, request, send, drop, now } = open()
    pay(10_000_000)
    expire()
    request()
    expect(drop(5)).toBe(false)
    send(10_000_000)
    see(15_000_000)
    expect(now()).toMatchObject({ status: 'expired', seen: 25_000_000n, refunding: 10_000_000n })
    drop(10_000_000)
    expect(now()).toMatchObject({ status: 'pending', refunding: 0n })
  })

  test('emits when it is final, and nothing else', () => {
    const { pay, expire, request, refund, effects, now } = open()
    pay(10)
    expire()
    request()
    refund(10)
    expect([effects(), now()]).toMatchObject([['deposit.refunded'], { refund: 'none' }])
  })

  test('fails only while it is queued, and each failure is said once', () => {
    const { pay, expire, request, failRefund, now, effects } = open()
    pay(10)
    expire()
    expect(failRefund()).toBe(false)
    request()
    expect([failRefund(), failRefund(), failRefund(true), failRefund(true)]).toEqual([true, false, true, false])
    expect([now(), effects()]).toMatchObject([{ refund: 'failed' }, []])
  })
})

describe('the merchant is notified', () => {
  test('of money that is seen, unless the payment is paid by late money already', () => {
    const { pay, see, expire, apply, effects } = open()
    expire()
    pay(due, windowEndsAtMs + 1)
    apply({ type: 'late.accepted' })
    see(5)
    expect(effects()).toEqual([])
  })

  test('of a reorg that takes late money away', () => {
    const { pay, expire, revert, effects } = open()
    expire()
    revert(pay(due, windowEndsAtMs + 1))
    expect(effects()).toEqual(['payment.reorged'])
  })

  test('of a reorg that undoes the payment by a drop, and of none that only takes a drop', () => {
    const { pay, revert, effects } = open()
    pay(due - 1)
    const last = pay(1)
    const [first, second] = [pay(7), pay(8)]
    revert(second)
    expect(effects()).toEqual([])
    revert(first)
    expect(effects()).toEqual([])
    revert(last)
    expect(effects()).toEqual(['payment.reorged', 'cancel-sweep', 'payment.underpaid'])
  })

  test('of a part that is left, once a reorg takes the rest that waited beside it', () => {
    const { pay, see, revert, effects } = open()
    const rest = see(due - 10_000_000)
    pay(10_000_000)
    expect(effects()).toEqual([])
    revert(rest)
    expect(effects()).toEqual(['payment.reorged', 'payment.underpaid'])
  })

  test('of each excess of size once, of no less, and of none that went back', () => {
    const { pay, revert, apply, effects } = open()
    pay(due + 1_000_000)
    expect(effects()).toContain('payment.overpaid')
    apply({ type: 'sweep.failed', isGivenUp: false })
    expect(effects()).toEqual([])
    const more = pay(2_000_000)
    expect(effects()).toEqual(['payment.overpaid'])
    pay(7)
    expect(effects()).toEqual([])
    revert(more)
    expect(effects()).toEqual(['payment.reorged'])
  })

  test('of no excess where the earlier money of it was refunded', () => {
    const { pay, expire, request, refund, effects, now } = open()
    pay(1_000_000)
    expire()
    request()
    refund(1_000_000)
    pay(due)
    expect(now()).toMatchObject({ status: 'sweeping', received: 26_000_000n })
    expect(effects()).toContain('payment.completed')
    expect(effects()).not.toContain('payment.overpaid')
  })
})
