import { expect, test } from 'vitest'
import { attemptsMax, failuresMax, planAfterFailure, replaceAfterMs } from './payout-retry.ts'

test('a deposit that cannot be settled is tried after ever longer pauses, then hourly and for ever', () => {
  const delays = Array.from({ length: failuresMax + 2 }, (_, index) => planAfterFailure(index + 1, 1_000))
  expect(delays.map(({ dueAtMs }) => (dueAtMs - 1_000) / 1_000)).toEqual([30, 60, 120, 240, 480, 3_600, 3_600, 3_600])
  expect(delays.map(({ isGivenUp }) => isGivenUp)).toEqual([false, false, false, false, false, true, true, true])
})

test('a stuck transaction is replaced after ever longer pauses, for about a day', () => {
  const delays = Array.from({ length: attemptsMax - 1 }, (_, index) => replaceAfterMs(index + 1) ?? Number.NaN)
  expect(delays.every((delayMs, index) => delayMs >= (delays[index - 1] ?? 90_000))).toBe(true)
  expect(delays.slice(0, 8).map((delayMs) => delayMs / 1_000)).toEqual([90, 180, 360, 720, 1_440, 2_880, 5_400, 5_400])
  const hours = delays.reduce((sum, delayMs) => sum + delayMs, 0) / 3_600_000
  expect(hours).toBeGreaterThan(18)
  expect(hours).toBeLessThan(30)
  expect(replaceAfterMs(attemptsMax)).toBeUndefined()
})
