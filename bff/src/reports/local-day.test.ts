import { expect, test } from 'vitest'
import { quarterMs } from '../payment/store/sums-store.ts'
import { daysIn } from './local-day.ts'

const hourMs = 60 * 60 * 1000

/** Every quarter of an hour from noon to noon, by its day. */
function hoursOfDays(timeZone: string, fromNoon: string, days: number): Record<string, number> {
  const dayOf = daysIn(timeZone)
  const hours: Record<string, number> = {}
  for (let ms = Date.parse(fromNoon); ms < Date.parse(fromNoon) + days * 24 * hourMs; ms += quarterMs) {
    const day = dayOf(ms)
    hours[day] = (hours[day] ?? 0) + 0.25
  }
  return hours
}

test('a day has the hours that its zone gives it, when clocks are set too', () => {
  expect(hoursOfDays('Europe/Berlin', '2026-03-28T11:00:00Z', 3)).toMatchObject({ '2026-03-29': 23, '2026-03-30': 24 })
  expect(hoursOfDays('America/New_York', '2026-10-31T16:00:00Z', 3)).toMatchObject({ '2026-11-01': 25 })
  expect(hoursOfDays('Australia/Lord_Howe', '2026-04-04T01:00:00Z', 3)).toMatchObject({ '2026-04-05': 24.5 })
  expect(hoursOfDays('Asia/Kathmandu', '2026-11-21T06:15:00Z', 3)).toMatchObject({ '2026-11-22': 24, '2026-11-23': 24 })
})

test('a moment before the last one is on its own day', () => {
  const dayOf = daysIn('UTC')
  expect(
    ['2026-11-22T00:00:00Z', '2026-11-21T23:59:59.999Z', '2026-11-22T23:59:59.999Z'].map((time) =>
      dayOf(Date.parse(time)),
    ),
  ).toEqual(['2026-11-22', '2026-11-21', '2026-11-22'])
})
