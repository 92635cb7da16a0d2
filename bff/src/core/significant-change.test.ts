import { expect, test } from 'vitest'
import { baseUnits, isSignificantChange } from './money.ts'

const isSignificant = (before: number, after: number) =>
  isSignificantChange(baseUnits('10000'), baseUnits(String(before)), baseUnits(String(after)))

test('a sum’s move is notified when it is a hundredth of what is due, up or down, to the unit', () => {
  for (const [before, after] of [
    [8_200, 8_300],
    [8_300, 8_200],
  ] as const)
    expect(isSignificant(before, after)).toBe(true)
  for (const [before, after] of [
    [8_200, 8_299],
    [8_299, 8_200],
  ] as const)
    expect(isSignificant(before, after)).toBe(false)
})

test('a smaller one is notified when the sum has reached another power of two, up or down', () => {
  const significant = Array.from({ length: 40 }, (_, sum) => sum + 1).filter((sum) => isSignificant(sum - 1, sum))
  expect(significant).toEqual([1, 2, 4, 8, 16, 32])
  expect(significant.map((sum) => isSignificant(sum, sum - 1))).toEqual(significant.map(() => true))
})

test('what has not moved is not notified', () => {
  for (const sum of [0, 1, 9_999, 1_000_000]) expect(isSignificant(sum, sum)).toBe(false)
})
