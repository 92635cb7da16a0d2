import { expect, test } from 'vitest'
import type { Caller } from '../context/caller.ts'
import { createRateLimits, defaultLimits } from './rate-limit.ts'

const callerOf = (merchantId: string) => ({ kind: 'api', id: `key of ${merchantId}`, merchantId }) as unknown as Caller

/** How many of so many calls are not refused. */
async function accepted(count: number, call: () => Promise<void>): Promise<number> {
  const all = await Promise.all(
    Array.from({ length: count }, () =>
      call().then(
        () => 1,
        () => 0,
      ),
    ),
  )
  return all.filter((one) => one === 1).length
}

test('payments that no agent makes are not counted as those of one agent', async () => {
  const limits = createRateLimits({ trustedProxies: [], limits: { ...defaultLimits, agentCalls: 2 } })
  const shop = callerOf('corner')
  expect(await accepted(10, () => limits.agentCalled(shop, undefined))).toBe(10)
  expect(await accepted(10, () => limits.agentCalled(shop, null))).toBe(10)
  expect(await accepted(10, () => limits.agentCalled(shop, 'shopper'))).toBe(2)
})

test('webhooks that one merchant has sent again leave those of other merchants alone', async () => {
  const limits = createRateLimits({ trustedProxies: [], limits: { ...defaultLimits, redeliveries: 2 } })
  expect(await accepted(10, () => limits.redelivered(callerOf('corner')))).toBe(2)
  expect(await accepted(10, () => limits.redelivered(callerOf('market')))).toBe(2)
})
