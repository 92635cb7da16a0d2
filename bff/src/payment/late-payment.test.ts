import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import type { PaymentEvent, Transfer } from './event.ts'
import { type DepositPayment, lateWindowMs, outcomeOf } from './payment.ts'
import { paymentStateOf, refundableOf } from './payment-sums.ts'
import { lateRefusalOf, planRefund } from './refund.ts'

const due = 25
const units = (amount: number) => baseUnits(String(amount))
const lateMs = windowEndsAtMs + 10_000

/** The payment in our books, and its forwarder on chain, by the rules of `DepositForwarder`. */
function open({ least = due, accepts = false } = {}) {
  const ledger = createMemoryLedger(
    newPayment({
      ...{ due: units(due), least: units(least), sequence: 0 },
      acceptedUntilMs: accepts ? windowEndsAtMs + lateWindowMs : null,
    }),
  )
  const chain = { arrived: 0, balance: 0, returned: 0, merchant: 0, isSettled: false, isOver: false, inFlight: 0 }
  const transfers: Transfer[] = []
  /** Places of transfers that a reorg took away. */
  const gone = new Set<number>()
  const shift = (amount: number) => {
    chain.arrived += amount
    chain.balance += amount
  }
  const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
    ledger.apply({ atMs: 0, ...event } as PaymentEvent)
  const payment = () => ledger.payment as DepositPayment
  const refundable = () => {
    if (chain.isSettled) return chain.balance
    if (chain.balance > due) return chain.balance - due
    return chain.balance < least && chain.isOver ? chain.balance : 0
  }
  const story = {
    ...{ ledger, chain, apply, payment },
    state: () => [payment().status, paymentStateOf(payment()), Number(refundableOf(payment()))],
    /** On chain, and not known to us. */
    arrive(amount: number, isLate = false) {
      const blockTimeMs = isLate ? lateMs : 10_000
      transfers.push(transferOf(String(amount), { txId: `0x${transfers.length}`, blockTimeMs }))
      shift(amount)
      return transfers.length - 1
    },
    confirm(index: number) {
      const transfer = transfers[index]
      if (!transfer) return
      // It comes back in another block.
      if (gone.delete(index)) shift(Number(transfer.amount))
      apply({ type: 'transfer.confirmed', transfer })
    },
    pay: (amount: number, isLate = false) => story.confirm(story.arrive(amount, isLate)),
    /** A reorg. One that leaves less than has left the address takes that away with it, which is another story. */
    revert(index: number) {
      const [transfer] = transfers.slice(index, index + 1)
      if (!transfer || chain.returned + chain.merchant + chain.inFlight > 0) return
      const isKnown = ledger.transfers.get(`${transfer.txId}:${transfer.logIndex}`)?.state === 'confirmed'
      if (!isKnown) return
      gone.add(index)
      shift(-Number(transfer.amount))
      apply({ type: 'transfer.reverted', transfer })
    },
    expire(atMs = windowEndsAtMs + 1) {
      chain.isOver = true
      apply({ type: 'window.ended', blockTimeMs: atMs })
    },
    close: () => apply({ type: 'payment.closed', as: 'failed' }),
    request: () => apply({ type: 'refund.requested', address: '0xpayer' }),
    take: () => apply({ type: 'late.accepted' }),
    /** As the refunder: what is planned, and no more than the chain has. */
    send() {
      if (payment().refund === 'none' || chain.inFlight > 0) return
      const amount = Math.min(Number(planRefund(payment())), refundable())
      if (amount === 0) return
      chain.inFlight = amount
      apply({ type: 'refund.sent', amount: units(amount) })
    },
    mine() {
      const amount = chain.inFlight
      if (amount === 0) return
      chain.inFlight = 0
      if (amount > refundable()) {
        apply({ type: 'refund.dropped', amount: units(amount) })
        return
      }
      chain.balance -= amount
      chain.returned += amount
      apply({ type: 'refund.confirmed', amount: units(amount), txId: '0xback' })
    },
    settle() {
      if (payment().sweep !== 'queued' || chain.isSettled || chain.balance < least) return
      chain.merchant = Math.min(chain.balance, due)
      chain.balance -= chain.merchant
      chain.isSettled = true
      apply({ type: 'sweep.confirmed', txId: '0xsweep' })
    },
  }
  return story
}

describe('the merchant takes the whole amount that came too late', () => {
  test('and it is paid and forwarded; what exceeds it is owed back', () => {
    const { pay, expire, take, settle, state, ledger } = open()
    expire()
    pay(due + 5, true)
    expect(state()).toEqual(['expired', 'expired_refunding', due + 5])
    take()
    expect(state()).toEqual(['sweeping', 'overpaid_refunding', 5])
    expect(ledger.effects.slice(-2)).toEqual(['queue-sweep', 'payment.completed'])
    settle()
    expect(state()).toEqual(['swept', 'overpaid_refunding', 5])
    take()
    pay(2, true)
    expect(state()).toEqual(['swept', 'overpaid_refunding', 7])
  })

  test('together with what came in time, also after it was ended by hand, and with what the merchant tolerates', () => {
    const short = open({ least: 22 })
    short.pay(10)
    short.expire()
    short.pay(12, true)
    short.take()
    expect(short.state()).toEqual(['sweeping', 'completed', 0])

    const closed = open()
    closed.close()
    closed.pay(due)
    closed.take()
    expect(closed.state()).toEqual(['sweeping', 'completed', 0])
  })

  test('not while it is open, when it was paid, or less than is accepted came', () => {
    const { pay, expire, take, payment, state } = open()
    expect(lateRefusalOf(payment())).toBe('open')
    pay(10)
    expire()
    pay(14, true)
    expect(lateRefusalOf(payment())).toBe('short')
    take()
    expect(state()).toEqual(['expired', 'expired_refunding', 24])
    pay(1, true)
    take()
    expect(lateRefusalOf(payment())).toBe('paid')
  })

  test('not what is on its way back, but what is left when that did not go', () => {
    const { pay, expire, request, send, mine, take, arrive, confirm, payment, state } = open()
    pay(10)
    expire()
    request()
    send()
    // The chain has it before the refund is mined, and will not send it.
    const late = arrive(15, true)
    confirm(late)
    expect(lateRefusalOf(payment())).toBe('refunding')
    take()
    expect(state()).toEqual(['expired', 'expired_refunding', 25])
    mine()
    expect(lateRefusalOf(payment())).toBe(undefined)
    take()
    expect(state()).toEqual(['sweeping', 'completed', 0])
  })

  test('and a reorg that takes it away takes the payment back, until it comes again', () => {
    const { pay, expire, take, revert, confirm, state, ledger } = open()
    expire()
    pay(due, true)
    take()
    revert(0)
    expect(state()).toEqual(['expired', 'awaiting', 0])
    expect(ledger.effects).toContain('cancel-sweep')
    confirm(0)
    expect(state()).toEqual(['sweeping', 'completed', 0])
  })

  test('of a contract payment the merchant has the money already', () => {
    const ledger = createMemoryLedger(newContractPayment())
    ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 0 })
    const transfer = transferOf('25000000', { blockTimeMs: lateMs })
    ledger.apply({ type: 'transfer.confirmed', transfer, atMs: 0 })
    expect(ledger.payment.status).toBe('expired')
    ledger.apply({ type: 'late.accepted', atMs: 0 })
    expect(ledger.payment).toMatchObject({ status: 'completed' })
  })
})

test('money on its way back does not make a payment paid that late money completes', () => {
  const { pay, expire, request, send, mine, state, chain, ledger } = open({ accepts: true })
  pay(10)
  expire()
  request()
  send()
  expect(chain.inFlight).toBe(10)
  mine()
  pay(15, true)
  expect(state()).toEqual(['expired', 'expired_refunding', 15])
  send()
  // It makes the whole amount, and the chain has it before the refund is mined, and will not send that.
  pay(10, true)
  expect(ledger.effects).not.toContain('payment.completed')
  mine()
  expect(state()).toEqual(['sweeping', 'completed', 0])
})

test('whatever comes, goes back, is taken, tolerated and replaced in whatever order: paid means it is there, and nothing goes twice', () => {
  const amount = fc.constantFrom(3, 10, 15, 22, 25, 30)
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom('arrive' as const, 'pay' as const), amount, isLate: fc.boolean() }),
    fc.record({ do: fc.constantFrom('confirm' as const, 'revert' as const), index: fc.nat(4) }),
    fc.record({
      do: fc.constantFrom(...(['expire', 'closeLate', 'close', 'request', 'take', 'send', 'mine', 'settle'] as const)),
    }),
  )
  const setting = { least: fc.constantFrom(due, 22), accepts: fc.boolean(), isUnderWay: fc.boolean() }
  fc.assert(
    fc.property(fc.record(setting), fc.array(step, { maxLength: 25 }), (settings, steps) => {
      const story = open(settings)
      const { chain, payment, ledger } = story
      // Where most of it happens: a short payment that is on its way back.
      if (settings.isUnderWay) {
        story.pay(10)
        for (const act of ['expire', 'request', 'send'] as const) story[act]()
      }
      for (const one of steps) {
        if (one.do === 'arrive' || one.do === 'pay') story[one.do](one.amount, one.isLate)
        else if (one.do === 'confirm' || one.do === 'revert') story[one.do](one.index)
        else if (one.do === 'closeLate') story.expire(windowEndsAtMs + lateWindowMs + 1)
        else story[one.do]()
        expect(chain.returned + chain.merchant + chain.balance).toBe(chain.arrived)
        expect(Number(payment().refunded)).toBe(chain.returned)
        expect(Number(payment().refunding)).toBe(chain.inFlight)
        if (outcomeOf(payment()) === 'paid' && !chain.isSettled) {
          expect(chain.balance - chain.inFlight).toBeGreaterThanOrEqual(settings.least)
        }
        const confirmed = Number((payment().received + payment().late) as BaseUnits)
        expect(chain.returned + chain.merchant).toBeLessThanOrEqual(confirmed + (chain.arrived - confirmed))
        expect(Number(refundableOf(payment()))).toBeLessThanOrEqual(Math.max(0, confirmed - chain.returned))
        if (chain.isSettled) expect(ledger.payment.status).toBe('swept')
      }
    }),
    { numRuns: 2_000 },
  )
})
