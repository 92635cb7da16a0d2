import { expect, test } from 'vitest'
import { createRateLimits } from './rate-limit.ts'

test('streams of one address are divided among the replicas, so that all of them together stay within the limit', () => {
  const of = (replicas: number) =>
    createRateLimits({ trustedProxies: [], replicas: () => replicas }).streamsPerAddressMax()
  expect([of(1), of(2), of(3), of(4), of(100)]).toEqual([30, 15, 10, 7, 1])
})
