import { expect, test } from 'vitest'
import type { MerchantId } from '../payment/payment.ts'
import { createMinuteShares } from './minute-bound.ts'

const [corner, other] = ['corner', 'other'] as MerchantId[] as [MerchantId, MerchantId]
const shares = { perClient: 2, perMerchant: 5, all: 8 }

test('a client, a merchant and all have a share of a minute each, and what is refused takes nothing from others', () => {
  let nowMs = 0
  const bound = createMinuteShares(shares, () => nowMs)
  const take = (client: string | null, merchantId: MerchantId, times: number) =>
    Array.from({ length: times }, () => bound.take({ client, merchantId })).filter((isTaken) => isTaken).length
  expect(take('flood', corner, 100)).toBe(2)
  expect(take('shopper', corner, 1)).toBe(1)
  expect(take(null, corner, 100), 'a merchant’s server has what its merchant has left').toBe(2)
  expect(take('late', corner, 1)).toBe(0)
  expect(take('flood', other, 1), 'a client has one share, whosever payments it asks for').toBe(0)
  expect(take('visitor', other, 2)).toBe(2)
  expect(take('another', other, 2), 'all together').toBe(1)
  nowMs = 60_000
  expect(take('flood', corner, 100)).toBe(2)
})
