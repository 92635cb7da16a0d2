import { expect, test } from 'vitest'
import { runAll } from './run-all.ts'

test('every step runs, and the first error is thrown after the last step', async () => {
  const ran: number[] = []
  const step = (number: number, fault?: Error) => async () => {
    ran.push(number)
    if (fault) throw fault
    return number
  }
  const [first, second] = [new Error('first'), new Error('second')]
  await expect(runAll([step(1, first), step(2, second), step(3)])).rejects.toBe(first)
  expect(ran).toEqual([1, 2, 3])
  expect(await runAll([step(4), step(5)])).toBe(9)
  await expect(runAll([step(6, first), step(7)], (error) => error === first)).rejects.toBe(first)
  expect(ran).toEqual([1, 2, 3, 4, 5, 6])
})
