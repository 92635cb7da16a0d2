import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultsOfAreas } from '../../test/mutation/areas.mjs'
import { faultsOfEquivalents } from '../../test/mutation/equivalents.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the areas of npm run mutate name files that exist, each once, and all of the folders that decide', () => {
  expect(faultsOfAreas(root)).toEqual([])
})

test('the changes that no test can notice are listed with lines that their files have', () => {
  expect(faultsOfEquivalents(root)).toEqual([])
})
