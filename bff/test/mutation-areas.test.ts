import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultsOfAreas } from '../../test/mutation/areas.mjs'

test('the areas of npm run mutate name files that exist, each once, and all of the folders that decide', () => {
  expect(faultsOfAreas(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
})
