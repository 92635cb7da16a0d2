import { expect } from '@open-wc/testing'
import { waitUntil } from '../test/wait-until.ts'
import { Countdown, formatLeft } from './countdown.ts'

const minuteMs = 60_000

/** A countdown on a clock that the test sets; real timers only trigger its reads. */
function count() {
  let ends = 0
  let updates = 0
  const host = {
    addController() {},
    removeController() {},
    updateComplete: Promise.resolve(true),
    requestUpdate() {
      updates++
    },
  }
  const countdown = new Countdown(host, () => ends++)
  return { countdown, ends: () => ends, updates: () => updates }
}

suite('the countdown', () => {
  const realNow = performance.now
  let nowMs = 0
  setup(() => {
    nowMs = 1_000_000
    performance.now = () => nowMs
  })
  teardown(() => {
    performance.now = realNow
  })

  test('shows minutes and seconds, rounded up, so that 0:00 is the end', () => {
    expect([15 * minuteMs, 14 * minuteMs + 59_001, 61_000, 60_000, 59_999, 1000, 1, 0].map(formatLeft)).to.deep.equal([
      '15:00',
      '15:00',
      '1:01',
      '1:00',
      '1:00',
      '0:01',
      '0:01',
      '0:00',
    ])
    expect(formatLeft(90 * minuteMs)).to.equal('90:00')
  })

  test('ends once, also after the page was suspended', () => {
    const { countdown, ends } = count()
    countdown.aim(nowMs + minuteMs)
    for (const leftMs of [30_000, -minuteMs, -minuteMs]) {
      nowMs = 1_000_000 + minuteMs - leftMs
      countdown.hostConnected()
    }
    expect(ends()).to.equal(1)
    expect(countdown.leftMs).to.equal(0)
  })

  test('continues with a later end, and stops without an end', () => {
    const { countdown, ends } = count()
    countdown.aim(nowMs + 30_000)
    expect(ends()).to.equal(0)
    countdown.aim(null)
    nowMs += minuteMs
    countdown.hostConnected()
    expect(ends()).to.equal(0)
    expect(countdown.leftMs).to.equal(0)
  })

  test('ticks by itself and pauses when the element leaves the page', async () => {
    const { countdown, updates } = count()
    performance.now = realNow
    countdown.aim(performance.now() + 60_005)
    const before = updates()
    await waitUntil(() => updates() > before)
    countdown.hostDisconnected()
  })
})
