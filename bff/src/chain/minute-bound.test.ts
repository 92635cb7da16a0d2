import { expect, test } from 'vitest'
import { createMinuteShares } from './minute-bound.ts'

test('a share is per minute: the next minute starts from zero, for client, merchant and all', () => {
  let nowMs = 0
  const bound = createMinuteShares({ perClient: 2, perMerchant: 5, all: 8 }, () => nowMs)
  const take = (client: string | null, merchantId: string, times: number) =>
    Array.from({ length: times }, () => bound.take({ client, merchantId })).filter((isTaken) => isTaken).length
  expect(take('flood', 'corner', 100)).toBe(2)
  expect(take(null, 'corner', 100), 'a merchant’s server can use the rest of its merchant’s share').toBe(3)
  expect(take('late', 'corner', 1)).toBe(0)
  expect(take('visitor', 'other', 1)).toBe(1)
  nowMs = 59_999
  expect(take('flood', 'corner', 1)).toBe(0)
  nowMs = 60_000
  expect(take('flood', 'corner', 100)).toBe(2)
  expect(take(null, 'corner', 100)).toBe(3)
})
