import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quarterMs } from '../payment/store/sums-store.ts'
import { daysIn, zoneMaxMs } from './local-day.ts'

const zones = Intl.supportedValuesOf('timeZone')

const some = { from: Date.UTC(2020, 0, 1), until: Date.UTC(2030, 0, 1) }
const moments = fc.array(fc.integer({ min: some.from, max: some.until }), { minLength: 1, maxLength: 6 })

/** As `Intl` writes the day of a moment; it is asked for each moment by itself. */
function dayWriter(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (ms) => format.format(ms)
}

test('in every time zone each moment is on the day that its clocks show, whatever was asked before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (timeZone, asked) => {
      const [dayOf, shown] = [daysIn(timeZone), dayWriter(timeZone)]
      for (const ms of asked) expect([timeZone, ms, dayOf(ms)]).toEqual([timeZone, ms, shown(ms)])
    }),
    { numRuns: 300 },
  )
})

test('the days that follow each other in a zone have no gap and no overlap, when its clocks are set too', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: some.from, max: some.until }), (timeZone, fromMs) => {
      const dayOf = daysIn(timeZone)
      let last = dayOf(fromMs)
      for (let quarter = 1; quarter <= 2 * 26 * 4; quarter++) {
        const day = dayOf(fromMs + quarter * quarterMs)
        const nextDay = new Date(Date.parse(last) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
        expect([last, nextDay]).toContain(day)
        last = day
      }
    }),
    { numRuns: 30 },
  )
})

test('no zone is farther from UTC than a month is read to both sides of its edges', () => {
  for (const timeZone of zones) {
    const shown = dayWriter(timeZone)
    for (const month of [0, 3, 6, 9]) {
      const edgeMs = Date.UTC(2026, month, 1)
      // So long before the edge it is the month before everywhere, and so long after it the month.
      const monthOf = (ms: number) => shown(ms).slice(0, 7)
      const [before, after] = [edgeMs - 1, edgeMs].map((ms) => new Date(ms).toISOString().slice(0, 7))
      expect([timeZone, monthOf(edgeMs - zoneMaxMs)]).toEqual([timeZone, before])
      expect([timeZone, monthOf(edgeMs + zoneMaxMs)]).toEqual([timeZone, after])
    }
  }
})
