import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultsOfAreas } from '../../test/mutation/areas.mjs'
import { faultsOfEquivalents } from '../../test/mutation/equivalents.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the areas of npm run mutate name existing files, each once, and all of the deciding folders', () => {
  expect(faultsOfAreas()).toEqual([])
})

test('equivalent mutants are listed with lines that exist in their files', () => {
  expect(faultsOfEquivalents(root)).toEqual([])
})
