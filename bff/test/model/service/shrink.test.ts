import { expect, test } from 'vitest'
import { shrink } from './shrink.ts'

test('only the steps needed for the failure remain', async () => {
  const steps = Array.from({ length: 50 }, (_, index) => index)
  const fails = async (fewer: readonly number[]) => fewer.includes(7) && fewer.includes(31)
  expect(await shrink(steps, fails, 1_000)).toEqual([7, 31])
})

test('it makes no more attempts than allowed', async () => {
  let trials = 0
  const fails = async () => {
    trials += 1
    return false
  }
  await shrink([1, 2, 3, 4, 5, 6, 7, 8], fails, 3)
  expect(trials).toBe(3)
})
