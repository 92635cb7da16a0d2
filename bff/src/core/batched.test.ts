import { expect, test } from 'vitest'
import { batched } from './batched.ts'

/** Loads the squares of even numbers. */
function squares() {
  const calls: (readonly number[])[] = []
  const load = batched(async (keys: readonly number[]) => {
    calls.push([...keys])
    if (keys.includes(13)) throw new Error('unlucky')
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, Promise.resolve(key * key)]))
  })
  return { load, calls }
}

test('what one turn asks for is loaded by one call, and what a later turn asks for by the next', async () => {
  const { load, calls } = squares()
  expect(await Promise.all([load(2), load(4), load(3)])).toEqual([4, 16, undefined])
  expect(await load(6)).toBe(36)
  expect(calls).toEqual([[2, 4, 3], [6]])
})

test('a key that is asked for while its batch loads is loaded again, because it may have changed', async () => {
  const calls: (readonly number[])[] = []
  let again: Promise<number | undefined> | undefined
  const load = batched(async (keys: readonly number[]) => {
    calls.push([...keys])
    if (calls.length === 1) again = load(2)
    return new Map(keys.map((key) => [key, Promise.resolve(calls.length)]))
  })
  expect(await load(2)).toBe(1)
  expect(await again).toBe(2)
})

test('a call that fails rejects all that share it, and no other', async () => {
  const { load } = squares()
  const first = await Promise.allSettled([load(2), load(13)])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load(2)).toBe(4)
})

test('one call loads 200 keys at the most', async () => {
  const { load, calls } = squares()
  await Promise.all(Array.from({ length: 201 }, () => load(2)))
  expect(calls.map(({ length }) => length)).toEqual([200, 1])
})
