import { expect, test } from 'vitest'
import { NoNodeError } from '../../rpc-pool.ts'
import { readRanges } from './log-ranges.ts'

const { signal } = new AbortController()

test('a node with short ranges is asked for fewer blocks, and every block is read once', async () => {
  const read: number[] = []
  let refusals = 0
  const progress: number[] = []
  await readRanges(
    { from: 10, to: 1_009 },
    async ({ from, to }) => {
      if (to - from + 1 > 100) {
        refusals += 1
        throw new Error('range too large')
      }
      for (let block = from; block <= to; block++) read.push(block)
    },
    (done) => progress.push(done),
    signal,
  )
  expect(read).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 10))
  expect(refusals).toBeLessThan(30)
  expect(progress.at(-1)).toBe(1_000)
})

test('a node that refuses a single block, or no node at all, ends the read', async () => {
  let calls = 0
  const refuse = (error: Error) => {
    const read = async () => {
      calls += 1
      throw error
    }
    return readRanges({ from: 0, to: 5_000 }, read, () => undefined, signal)
  }
  await expect(refuse(new Error('no logs of that time'))).rejects.toThrow('no logs of that time')
  // 2,000 blocks, halved until one is left.
  expect(calls).toBe(11)
  await expect(refuse(new NoNodeError('nobody'))).rejects.toThrow('nobody')
  expect(calls).toBe(12)
})
