import { expect } from '@open-wc/testing'
import { parseAnswer } from './api/parse-answer.ts'
import { type Checkout, type CheckoutEvent, type Effect, reduce } from './checkout.ts'
import type { Intent } from './terms.ts'
import { expired as ended, paid, paymentId, seen, short, type Wire, wireAnswer } from './test/service.ts'

const create = (over: Wire = {}): Intent => ({
  type: 'create',
  apiBase: 'https://pay.example',
  publicKey: 'pk_live_a',
  terms: { amount: '25', currency: 'usdc', network: 'devnet', ...over },
})
const follow: Intent = { type: 'follow', apiBase: 'https://pay.example', paymentId }

const serverTime = '2026-11-21T12:00:00.000Z'
const laterServerTime = '2026-11-21T12:00:10.000Z'
const expiresAt = '2026-11-21T12:15:00.000Z'
const expired = { ...ended, expiresAt: '2026-11-21T11:59:00.000Z' }

const arrival = (over: Wire = {}, nowMs = 1000, time = serverTime): CheckoutEvent => {
  const answer = parseAnswer(wireAnswer({ expiresAt, ...over }, time))
  if (!answer) throw new Error('no payment')
  return { type: 'answer.arrived', answer, isCreated: true, nowMs }
}
const failure = (status: number, over = {}): CheckoutEvent => ({
  type: 'request.failed',
  fault: { code: 'CODE', message: 'Words.', status, retryAfterMs: 0 },
  isCreate: true,
  isOffline: false,
  ...over,
})

/** The state after these events, and the effects of the last one. */
function play(...events: CheckoutEvent[]): { checkout: Checkout; effects: string[]; last: Effect[] } {
  let checkout: Checkout = { phase: 'idle' }
  let last: Effect[] = []
  for (const event of events) {
    const step = reduce(checkout, event)
    checkout = step.checkout
    last = step.effects
  }
  return { checkout, last, effects: last.map((effect) => (effect.type === 'emit' ? effect.name : effect.type)) }
}
const begin: CheckoutEvent = { type: 'settings.changed', intent: create() }
const broken: CheckoutEvent = { type: 'settings.broken', problems: [{ attribute: 'amount', rule: 'a number' }] }

suite('the reducer', () => {
  test('valid attributes load, and the same attributes again do nothing', () => {
    expect(play(begin)).to.deep.include({ effects: ['load'] })
    expect(play(begin, begin).effects).to.deep.equal([])
    expect(
      play(begin, { type: 'settings.changed', intent: create({ customerEmail: 'a@b.example' }) }).effects,
    ).to.deep.equal([])
  })

  test('invalid attributes stop the element, and the error names their rule', () => {
    const { checkout, effects, last } = play(begin, broken)
    expect(checkout.phase).to.equal('misconfigured')
    expect(effects).to.deep.equal(['stop', 'sc-error'])
    expect(last[1]).to.deep.include({
      detail: { code: 'CONFIGURATION', message: 'amount: a number', retryable: false },
    })
  })

  test('the first response is remembered and emitted: created, ready, its state', () => {
    const { checkout, effects } = play(begin, arrival())
    expect(effects).to.deep.equal(['remember', 'sc-payment-created', 'sc-ready', 'sc-status-change'])
    expect(checkout).to.include({ phase: 'following', stage: 'awaiting', endsAtMs: 1000 + 15 * 60_000 })
  })

  test('a continued payment does not count as created', () => {
    const event = { ...arrival(), isCreated: false } as CheckoutEvent
    expect(play(begin, event).effects).to.deep.equal(['remember', 'sc-ready', 'sc-status-change'])
  })

  test('a response without a change emits nothing and is counted', () => {
    const { checkout, effects } = play(begin, arrival(), arrival({}, 4000), arrival({}, 7000))
    expect(effects).to.deep.equal([])
    expect(checkout).to.include({ unchanged: 2 })
  })

  test('underpaid is emitted once for each remaining amount', () => {
    const events = [begin, arrival(), arrival(short)]
    expect(play(...events).effects).to.deep.equal(['sc-status-change', 'sc-underpaid'])
    expect(play(...events).last[1]).to.deep.nested.include({ 'detail.remaining': '15.00' })
    expect(play(...events, arrival({ ...short, confirmations: 2 })).effects).to.deep.equal(['sc-status-change'])
    const less = arrival({ ...short, amountDetected: '20.00', amountRemaining: '5.00' })
    expect(play(...events, less).effects).to.deep.equal(['sc-status-change', 'sc-underpaid'])
  })

  test('confirmations are emitted as they come, paid only once', () => {
    const events = [begin, arrival(), arrival(seen)]
    expect(play(...events).checkout).to.include({ stage: 'confirming' })
    expect(play(...events, arrival({ ...seen, confirmations: 2 })).effects).to.deep.equal(['sc-status-change'])
    const settling = { ...paid, settlement: { state: 'settling', message: '' } }
    expect(play(...events, arrival(settling)).effects).to.deep.equal(['forget', 'sc-status-change', 'sc-paid'])
    expect(play(...events, arrival(settling), arrival(paid)).effects).to.deep.equal(['forget', 'sc-status-change'])
  })

  test('a reorg that removes the money shows the deposit screen again', () => {
    expect(play(begin, arrival(), arrival(seen), arrival()).checkout).to.include({ stage: 'awaiting' })
  })

  test('expiry frees the key; a payment that can still be paid keeps it', () => {
    expect(play(begin, arrival(), arrival(expired)).effects).to.deep.equal(['forget', 'sc-status-change', 'sc-expired'])
    const open = arrival({ ...expired, isFinal: false })
    expect(play(begin, arrival(), open).effects).to.deep.equal(['sc-status-change', 'sc-expired'])
    expect(play(begin, arrival(), open, arrival(paid)).checkout).to.include({ stage: 'paid' })
  })

  test('a paid order stays remembered, so a reload does not ask for the money again', () => {
    const order: CheckoutEvent = { type: 'settings.changed', intent: create({ orderId: 'A-1' }) }
    expect(play(order, arrival(), arrival(paid)).effects).to.deep.equal(['sc-status-change', 'sc-paid'])
  })

  test('a replacement takes the place of the payment on screen, for the same terms only', () => {
    const other = (over: Wire) => ({ ...arrival({ id: 'other', ...over }), isOther: true }) as CheckoutEvent
    const { checkout, effects } = play(begin, arrival(), other({ depositAddress: null, paymentMode: 'contract' }))
    expect(checkout.phase === 'following' && checkout.answer.payment.id).to.equal('other')
    expect(effects).to.deep.equal(['remember', 'sc-payment-created', 'sc-ready', 'sc-status-change'])
    expect(play(begin, arrival(), other({ amount: '26.00' })).effects).to.deep.equal(['stop', 'sc-error'])
  })

  test('only a newer server time moves the end of the window', () => {
    const ends = (...events: CheckoutEvent[]) => {
      const { checkout } = play(begin, arrival({}, 1000), ...events)
      return checkout.phase === 'following' ? checkout.endsAtMs - 1000 : Number.NaN
    }
    const windowMs = 15 * 60_000
    expect(ends(arrival({}, 11_000))).to.equal(windowMs)
    expect(ends(arrival({}, 11_000, laterServerTime))).to.equal(windowMs)
    expect(ends(arrival({}, 21_000, laterServerTime))).to.equal(windowMs + 10_000)
    expect(ends(arrival({}, 11_000, laterServerTime), arrival({}, 99_000, serverTime))).to.equal(windowMs)
  })

  test('a response for another payment, amount, token or address is never shown', () => {
    const strange = [{ amount: '26.00' }, { currency: 'USDT' }]
    for (const over of strange)
      expect(play(begin, arrival(over)).checkout.phase, JSON.stringify(over)).to.equal('refused')
    for (const over of [{ id: 'other' }, { depositAddress: '0x00' }])
      expect(play(begin, arrival(), arrival(over)).effects, JSON.stringify(over)).to.deep.equal(['stop', 'sc-error'])
    const priced: CheckoutEvent = {
      type: 'settings.changed',
      intent: create({ amount: undefined, price: '24.99', priceCurrency: 'EUR' }),
    }
    for (const [over, phase] of [
      [{ price: '24.990', priceCurrency: 'EUR' }, 'following'],
      [{ price: '24.99', priceCurrency: 'USD' }, 'refused'],
      [{ price: '24.98', priceCurrency: 'EUR' }, 'refused'],
    ] as const)
      expect(play(priced, arrival(over)).checkout.phase, JSON.stringify(over)).to.equal(phase)
    expect(play({ type: 'settings.changed', intent: follow }, arrival({ id: 'other' })).checkout.phase).to.equal(
      'refused',
    )
    expect(play({ type: 'settings.changed', intent: follow }, arrival({ amount: '99' })).checkout.phase).to.equal(
      'following',
    )
  })

  test('an outage is emitted once, keeps the payment on screen and ends with the next response', () => {
    const first = play(begin, arrival(), failure(503))
    expect(first.effects).to.deep.equal(['sc-error'])
    const second = play(begin, arrival(), failure(503), failure(0, { isOffline: true }))
    expect(second.effects).to.deep.equal([])
    expect(second.checkout).to.deep.include({
      phase: 'following',
      line: { failures: 2, isOffline: true, retryAfterMs: 0 },
    })
    expect(play(begin, arrival(), failure(503), arrival()).checkout).to.deep.nested.include({ 'line.failures': 0 })
  })

  test('transient failures are retried, permanent ones are shown as refused', () => {
    for (const status of [0, 408, 429, 500, 503])
      expect(play(begin, failure(status)).checkout.phase, String(status)).to.equal('loading')
    for (const status of [400, 401, 403, 404])
      expect(play(begin, failure(status)).effects, String(status)).to.deep.equal(['stop', 'sc-error'])
  })

  test('a remembered payment that the service no longer has is created again; one requested by its id is an error', () => {
    const missing = failure(404, { isCreate: false })
    expect(play(begin, missing).effects).to.deep.equal(['forget', 'load'])
    expect(play({ type: 'settings.changed', intent: follow }, missing).checkout.phase).to.equal('refused')
    expect(play(begin, arrival(), missing).checkout.phase).to.equal('refused')
  })

  test('other terms start another payment until money is detected', () => {
    const other: CheckoutEvent = { type: 'settings.changed', intent: create({ amount: '30' }) }
    expect(play(begin, arrival(), other).effects).to.deep.equal(['load'])
    expect(play(begin, arrival(), arrival(short), other).checkout).to.include({ stage: 'underpaid' })
    expect(play(begin, arrival(), arrival(seen), broken).checkout).to.include({ stage: 'confirming' })
    expect(play(begin, arrival(), arrival(paid), other).effects).to.deep.equal(['load'])
    expect(play(begin, arrival(), arrival(seen), { type: 'settings.changed', intent: follow }).effects).to.deep.equal([
      'load',
    ])
  })

  test('starting again forgets the old payment, retrying does not', () => {
    expect(play(begin, arrival(), arrival(expired), { type: 'retry.chosen', isNew: true }).effects).to.deep.equal([
      'forget',
      'load',
    ])
    expect(play(begin, failure(503), { type: 'retry.chosen', isNew: false }).effects).to.deep.equal(['load'])
  })

  test('responses that nothing requested change nothing', () => {
    for (const event of [arrival(), failure(503), { type: 'retry.chosen', isNew: true } as const])
      expect(play(event)).to.deep.include({ checkout: { phase: 'idle' }, effects: [] })
    for (const event of [arrival(), failure(503)]) expect(play(broken, event).checkout.phase).to.equal('misconfigured')
  })
})
