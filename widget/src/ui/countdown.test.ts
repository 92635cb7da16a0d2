import { expect } from '@open-wc/testing'
import { waitUntil } from '../test/wait-until.ts'
import { Countdown, formatLeft } from './countdown.ts'

const minuteMs = 60_000

/** A countdown on a clock that the test sets; real timers only say when to read it. */
function count() {
  const said: number[] = []
  let updates = 0
  const host = {
    addController() {},
    removeController() {},
    updateComplete: Promise.resolve(true),
    requestUpdate() {
      updates++
    },
  }
  const countdown = new Countdown(host, (minutes) => said.push(minutes))
  return { countdown, said, updates: () => updates }
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

  test('is announced at five minutes, one minute and the end, each once', () => {
    const { countdown, said } = count()
    countdown.aim(nowMs + 6 * minuteMs)
    for (const leftMs of [5 * minuteMs + 1, 5 * minuteMs, 5 * minuteMs - 1000, minuteMs, 30_000, 0, 0]) {
      nowMs = 1_000_000 + 6 * minuteMs - leftMs
      countdown.hostConnected()
    }
    expect(said).to.deep.equal([5, 1, 0])
    expect(countdown.leftMs).to.equal(0)
  })

  test('a page that slept through the marks announces the last one', () => {
    const { countdown, said } = count()
    countdown.aim(nowMs + 6 * minuteMs)
    nowMs += 10 * minuteMs
    countdown.hostConnected()
    expect(said).to.deep.equal([0])
  })

  test('a later end counts on without another announcement, and no end stops', () => {
    const { countdown, said } = count()
    countdown.aim(nowMs + 30_000)
    expect(said).to.deep.equal([])
    countdown.aim(null)
    nowMs += minuteMs
    countdown.hostConnected()
    expect(said).to.deep.equal([])
    expect(countdown.leftMs).to.equal(0)
  })

  test('ticks by itself and rests when the element leaves the page', async () => {
    const { countdown, updates } = count()
    performance.now = realNow
    countdown.aim(performance.now() + 60_005)
    const before = updates()
    await waitUntil(() => updates() > before)
    countdown.hostDisconnected()
  })
})
