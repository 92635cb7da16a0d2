import { Context } from 'hono'
import { expect, test } from 'vitest'
import type { MerchantId } from '../../payment/payment.ts'
import type { Env } from '../context/env.ts'
import { createRateLimits } from './rate-limit.ts'
import { createStreamSlots } from './stream-slots.ts'

test('streams of one address are divided among the replicas, so that all of them together stay within the limit', () => {
  const of = (replicas: number) =>
    createRateLimits({ trustedProxies: [], replicas: () => replicas }).streamsPerAddressMax()
  expect([of(1), of(2), of(3), of(4), of(100)]).toEqual([30, 15, 10, 7, 1])
})

/** How many streams are opened of so many attempts, each from an address of its own. */
function openSlots(totalMax: number) {
  const limits = createRateLimits({ trustedProxies: [] })
  const addressOf = (c: Context<Env>) => c.req.header('from') ?? ''
  const slots = createStreamSlots({ ...limits, addressOf, streamsPerAddressMax: () => 3 }, totalMax)
  return (merchantId: string, attempts: number, addressAt: (nth: number) => string): (() => void)[] => {
    const taken: (() => void)[] = []
    for (let nth = 0; nth < attempts; nth++) {
      const c = new Context<Env>(new Request('https://pay.example', { headers: { from: addressAt(nth) } }))
      try {
        taken.push(slots.take(c, merchantId as MerchantId))
      } catch {
        // Refused.
      }
    }
    return taken
  }
}

test('the addresses of one network of IPv6 take the streams of four, and give each back', () => {
  const open = openSlots(1_000)
  const ofNetwork = (nth: number) => `2001:db8:7:${nth.toString(16)}::/64`
  const taken = open('shop', 500, ofNetwork)
  expect(taken).toHaveLength(12)
  expect(open('shop', 1, () => '2001:db8:8:0::/64')).toHaveLength(1)
  taken[0]?.()
  expect(open('shop', 500, ofNetwork)).toHaveLength(1)
})

test('an address of IPv4 has its streams alone, each counted once', () => {
  const open = openSlots(1_000)
  const taken = open('shop', 10, () => '192.0.2.1')
  expect([taken.length, open('shop', 1, () => '192.0.2.2').length]).toEqual([3, 1])
  taken[0]?.()
  taken[1]?.()
  expect(open('shop', 10, () => '192.0.2.1')).toHaveLength(2)
})

test('streams of one merchant’s payments, from addresses without number, leave a quarter to other merchants', () => {
  const open = openSlots(20)
  const anywhere = (nth: number) => `192.0.2.${nth}`
  expect(open('flooded', 200, anywhere)).toHaveLength(15)
  expect(open('other', 200, (nth) => `198.51.100.${nth}`)).toHaveLength(5)
})

test('an address whose streams have all ended has as many as before', () => {
  const open = openSlots(1_000)
  for (let round = 0; round < 3; round++) {
    const taken = open('shop', 10, () => '192.0.2.1')
    expect(taken).toHaveLength(3)
    for (const end of taken) end()
  }
})
