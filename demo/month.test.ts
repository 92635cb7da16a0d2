import { expect, test } from 'vitest'
import { days, monthLinks, monthOfPayments } from './month.ts'

const minutesPerDay = 24 * 60

test.each([0, 1, 2, 3, 4, 5, 6])('a month has orders up to today, oldest first, whatever day it is (%i)', (weekday) => {
  const payments = monthOfPayments(Date.UTC(2026, 10, 22 + weekday, 9))
  const times = payments.map(({ minutesAgo }) => minutesAgo)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(times[0]).toBeLessThan(days * minutesPerDay)
  expect(times.at(-1)).toBeGreaterThan(0)
  expect(times.at(-1)).toBeLessThan(minutesPerDay)
  expect(new Set(payments.map(({ orderId }) => orderId)).size).toBe(payments.length)
  // The dashboard's first page of payments is full.
  expect(payments.length).toBeGreaterThan(50)
  const courses = payments.map(({ course }) => course)
  expect(new Set(courses)).toEqual(new Set(['complete', 'underpay', 'overpay', 'expire', 'late', 'fail']))
  expect(courses.filter((course) => course === 'complete').length / courses.length).toBeGreaterThan(0.75)
})

test('its texts are those of a shop: nothing in them is code', () => {
  const texts = JSON.stringify([monthOfPayments(Date.UTC(2026, 10, 22)), monthLinks])
  expect(texts).not.toMatch(/[<>]|<script|javascript:|onerror/i)
  expect(texts).toContain('maya.brandt@example.com')
})
