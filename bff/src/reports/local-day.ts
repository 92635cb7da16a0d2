import { ValidationError } from '../core/errors.ts'
import { quarterMs } from '../payment/store/sums-store.ts'

/** Maximum offset of a time zone from UTC, rounded up. */
export const zoneMaxMs = 15 * 60 * 60 * 1000

/** A day has at most 25 hours, when the clock is set back. */
const quartersOfDayMax = 26 * 4

/** The day of a time, such as 2026-11-21. */
export type DayOf = (ms: number) => string

/**
 * Returns the day of a time in a time zone, including daylight saving time. Cheap for ascending times.
 * @param timeZone - A name of the IANA database. Offsets are refused, because days might not begin at a quarter of an hour.
 * @throws {ValidationError} when there is no such zone.
 */
export function daysIn(timeZone: string): DayOf {
  const format = formatOf(timeZone)
  const dayAt = (quarter: number): string => {
    const parts = Object.fromEntries(format.formatToParts(quarter * quarterMs).map(({ type, value }) => [type, value]))
    return `${parts['year']}-${parts['month']}-${parts['day']}`
  }
  let last = { from: 0, until: 0, day: '' }
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs)
    if (quarter >= last.from && quarter < last.until) return last.day
    const day = dayAt(quarter)
    // A binary search for the end of the day, because each formatted time costs a tenth of a millisecond.
    let [inside, outside] = [quarter, quarter + quartersOfDayMax]
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2)
      if (dayAt(middle) === day) inside = middle
      else outside = middle
    }
    last = { from: quarter, until: outside, day }
    return day
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    calendar: 'iso8601',
    numberingSystem: 'latn',
  } as const
  try {
    if (/^[A-Za-z]/.test(timeZone)) return new Intl.DateTimeFormat('en-US', { ...fields, timeZone })
  } catch {}
  throw new ValidationError(`timeZone must be the name of a time zone such as Europe/Berlin, not "${timeZone}"`)
}
