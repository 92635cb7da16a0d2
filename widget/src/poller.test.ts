import { expect } from '@open-wc/testing'
import { parseAnswer } from './api/parse-answer.ts'
import { type Checkout, reduce } from './checkout.ts'
import { Poller, paceMs } from './poller.ts'
import { expired, paid, seen, type Wire, wireAnswer } from './test/service.ts'
import { waitUntil } from './test/wait-until.ts'

function following(over: Wire, unchanged = 0): Checkout {
  const answer = parseAnswer(wireAnswer(over))
  if (!answer) throw new Error('no payment')
  const intent = { type: 'follow', apiBase: 'https://pay.example', paymentId: answer.payment.id } as const
  const { checkout } = reduce(
    { phase: 'loading', intent, line: { failures: 0, isOffline: false, retryAfterMs: 0 } },
    { type: 'answer.arrived', answer, isCreated: false, nowMs: 0 },
  )
  return { ...checkout, unchanged } as Checkout
}
const failing = (failures: number, retryAfterMs = 0): Checkout =>
  ({ ...following({}), line: { failures, isOffline: false, retryAfterMs } }) as Checkout

suite('the polling interval', () => {
  test('is 3 s while waiting, 2 s while confirming, and longer without changes', () => {
    expect(paceMs(following({}), 0)).to.equal(3000)
    expect(paceMs(following({}, 40), 0)).to.equal(5000)
    expect(paceMs(following(seen), 0)).to.equal(2000)
    expect(paceMs(following(seen, 40), 0)).to.equal(5000)
  })

  test('doubles after failures up to 30 s, with jitter, and never undercuts Retry-After', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((failures) => paceMs(failing(failures), 0))).to.deep.equal([
      2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect(paceMs(failing(1), 0.999)).to.be.within(2000, 2500)
    expect(paceMs(failing(1, 60_000), 0)).to.equal(60_000)
  })

  test('ends for a settled payment; a payment that settles is polled for a bounded time', () => {
    const settling = { ...paid, settlement: { state: 'settling', message: '' } }
    expect(paceMs(following(paid), 0)).to.equal(null)
    expect(paceMs(following(settling), 0)).to.equal(5000)
    expect(paceMs(following(settling, 10), 0)).to.equal(30_000)
    expect(paceMs(following(settling, 50), 0)).to.equal(null)
    expect(paceMs(following(expired, 50), 0)).to.equal(null)
  })

  test('covers money being returned, and ends once it is returned', () => {
    const refunding = (state: string) => ({ ...paid, refund: { state, amount: '5.00' } })
    expect(paceMs(following(refunding('sending')), 0)).to.equal(5000)
    expect(paceMs(following(refunding('sending'), 50), 0)).to.equal(null)
    for (const state of ['address_needed', 'refunded', 'held'])
      expect(paceMs(following(refunding(state)), 0), state).to.equal(null)
  })

  test('is long for an expired payment that may still be paid', () => {
    expect(paceMs(following({ ...expired, isFinal: false }), 0)).to.equal(10_000)
    expect(paceMs(following({ ...expired, isFinal: false }, 400), 0)).to.equal(60_000)
  })

  test('is none when nothing is to be polled', () => {
    expect(paceMs({ phase: 'idle' }, 0)).to.equal(null)
    expect(paceMs({ phase: 'misconfigured', problems: [] }, 0)).to.equal(null)
  })
})

suite('the poller', () => {
  /** Polls that end on command, with their arguments. */
  function watch() {
    const visits: { isFresh: boolean; signal: AbortSignal; end: (waitMs: number | null) => void }[] = []
    const poller = new Poller((isFresh, signal) => new Promise((end) => visits.push({ isFresh, signal, end })))
    return { visits, poller }
  }
  function setHidden(isHidden: boolean): void {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }
  teardown(() => setHidden(false))

  test('polls at once, and after the wait returned by the poll, bypassing the cache', async () => {
    const { visits, poller } = watch()
    poller.start()
    expect(visits.length).to.equal(1)
    visits[0]?.end(1)
    await waitUntil(() => visits.length === 2)
    expect(visits.map(({ isFresh }) => isFresh)).to.deep.equal([true, false])
    poller.stop()
  })

  test('runs one poll at a time, however often it is woken', () => {
    const { visits, poller } = watch()
    poller.start()
    poller.wake()
    window.dispatchEvent(new Event('focus'))
    expect(visits.length).to.equal(1)
    poller.stop()
  })

  test('pauses while the page is hidden and polls at once when it is visible again', async () => {
    const { visits, poller } = watch()
    setHidden(true)
    poller.start()
    expect(visits.length).to.equal(0)
    setHidden(false)
    expect(visits.length).to.equal(1)
    visits[0]?.end(1_000_000)
    await Promise.resolve()
    for (const name of ['online', 'focus']) {
      const before = visits.length
      await waitUntil(() => {
        window.dispatchEvent(new Event(name))
        return visits.length > before
      })
      visits.at(-1)?.end(1_000_000)
    }
    expect(visits.every(({ isFresh }) => isFresh)).to.equal(true)
    poller.stop()
  })

  test('drops the current poll when stopped, and polls again when restarted', async () => {
    const { visits, poller } = watch()
    poller.start()
    poller.start()
    expect(visits.map(({ signal }) => signal.aborted)).to.deep.equal([true, false])
    visits[0]?.end(1)
    visits[1]?.end(1)
    await waitUntil(() => visits.length === 3)
    poller.stop()
    expect(visits[2]?.signal.aborted).to.equal(true)
    window.dispatchEvent(new Event('focus'))
    expect(visits.length).to.equal(3)
  })

  test('ends when a poll returns null', async () => {
    const { visits, poller } = watch()
    poller.start()
    visits[0]?.end(null)
    await Promise.resolve()
    await Promise.resolve()
    window.dispatchEvent(new Event('focus'))
    expect(visits.length).to.equal(1)
  })
})
