import { test } from 'vitest'
import { keptLives, liveAgain } from './kept-lives.ts'

test.each(keptLives.map((kept) => [`${kept.family}: ${kept.found}`, kept] as const))('%s', async (_, kept) => {
  await liveAgain(kept)
})
