import { test } from 'vitest'
import { keptLives, liveAgain } from './kept-lives.ts'

test.each(keptLives)('$family: $found', async (kept) => {
  await liveAgain(kept)
})
