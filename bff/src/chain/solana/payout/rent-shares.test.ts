import { expect, test } from 'vitest'
import { planOpenings, type RentHolder } from './rent-shares.ts'

const holder = (merchantId: string, client: string | null): RentHolder => ({ merchantId, publicKey: null, client })
const many = (count: number, one: RentHolder) => Array.from({ length: count }, () => one)

test('a client named by a merchant’s server has at most five accounts, and does not take those of other clients', () => {
  const [flood, shopper, unnamed] = [holder('corner', 'flood'), holder('corner', 'shopper'), holder('corner', null)]
  const planned = planOpenings([...many(20, flood), ...many(3, unnamed), shopper], [{ ...flood, count: 2 }], 100)
  expect(planned).toEqual([...many(3, flood), ...many(3, unnamed), shopper])
})

test('a merchant has half of the possible unpaid accounts', () => {
  const planned = planOpenings([...many(20, holder('corner', null)), holder('other', null)], [], 10)
  expect(planned).toEqual([...many(5, holder('corner', null)), holder('other', null)])
})
