import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runLives, seedOfDay } from './run-lives.ts'

test('the seed of a day is its date in UTC, until midnight', () => {
  expect(seedOfDay(Date.parse('2026-11-24T23:59:59.999Z'))).toBe(20_261_124)
  expect(seedOfDay(Date.parse('2026-11-25T00:00:00Z'))).toBe(20_261_125)
})

test('a failing life is reported with its seed, its index and the line that keeps it', async () => {
  const lives = fc.constant({ settings: {}, steps: [{ type: 'restart' }] })
  let lived = 0
  const live = async () => {
    lived += 1
    if (lived > 2) throw new Error('The third life fails.')
  }
  const failure = runLives({ family: 'evm', lives, live }, 20_261_124, 3)
  await expect(failure).rejects.toThrow(
    /^The third life fails\.\nMODEL_SEED=20261124, life 2 of evm\..*"seed":20261124/s,
  )
})
