import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestBlockBefore } from './block-time.ts'

const { signal } = new AbortController()

/** A chain with a block every ten milliseconds, of which the node has those from `oldest` on. */
function openNode(oldest = 0) {
  const asked: number[] = []
  return {
    asked,
    async block(number: number) {
      asked.push(number)
      return number < oldest ? undefined : { number, hash: '', parentHash: '', timeMs: number * 10 }
    },
  }
}

test('is the newest block older than the time, or 0', async () => {
  const numbers = fc.integer({ min: 0, max: 100_000 })
  await fc.assert(
    fc.asyncProperty(numbers, fc.integer({ min: -10, max: 1_100_000 }), async (to, timeMs) => {
      const newest = Math.min(to, Math.ceil(timeMs / 10) - 1)
      expect(await newestBlockBefore(openNode(), timeMs, to, signal)).toBe(Math.max(0, newest))
    }),
  )
})

test('asks a node for no block more than twice as far away, which it may not have', async () => {
  const node = openNode(1_000_000 - 201)
  expect(await newestBlockBefore(node, 9_999_000, 1_000_000, signal)).toBe(999_899)
  expect(node.asked.length).toBeLessThan(16)
})

test('reports a missing block', async () => {
  await expect(newestBlockBefore(openNode(1_001), 1, 1_000, signal)).rejects.toThrow('A node has no block 1000')
})
