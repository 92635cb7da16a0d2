import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { isWorthTelling } from './dust.ts'

const worth = (before: number, after: number) =>
  isWorthTelling(baseUnits('10000'), baseUnits(String(before)), baseUnits(String(after)))

test('a sum’s move is told when it is a hundredth of what is due, up or down, to the unit', () => {
  for (const [before, after] of [
    [8_200, 8_300],
    [8_300, 8_200],
  ] as const)
    expect(worth(before, after)).toBe(true)
  for (const [before, after] of [
    [8_200, 8_299],
    [8_299, 8_200],
  ] as const)
    expect(worth(before, after)).toBe(false)
})

test('a smaller one is told when the sum has reached another power of two, up or down', () => {
  const told = Array.from({ length: 40 }, (_, sum) => sum + 1).filter((sum) => worth(sum - 1, sum))
  expect(told).toEqual([1, 2, 4, 8, 16, 32])
  expect(told.map((sum) => worth(sum, sum - 1))).toEqual(told.map(() => true))
})

test('what has not moved is not told', () => {
  for (const sum of [0, 1, 9_999, 1_000_000]) expect(worth(sum, sum)).toBe(false)
})
