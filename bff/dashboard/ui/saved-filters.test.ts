import { afterEach, expect, test, vi } from 'vitest'
import { loadSavedFilters, removeFilter, saveFilter } from './saved-filters.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
})
afterEach(() => stored.clear())

test('a filter is saved by its name, replaced by the same name, and removed, for each person apart', () => {
  saveFilter('ada', { name: 'Late', filters: { kind: 'late', after: '5.1' } })
  saveFilter('ada', { name: 'Big', filters: { amountMin: '100' } })
  saveFilter('ada', { name: 'Late', filters: { kind: 'late', network: 'base' } })
  // The place in the list is not part of it.
  const late = { name: 'Late', filters: { kind: 'late', network: 'base' } }
  expect(loadSavedFilters('ada')).toEqual([{ name: 'Big', filters: { amountMin: '100' } }, late])
  expect(loadSavedFilters('bob')).toEqual([])
  expect(removeFilter('ada', 'Big')).toEqual([late])
  expect(loadSavedFilters('ada')).toEqual([late])
})

test('at most twenty are kept, and what cannot be read is left out', () => {
  for (let number = 0; number < 25; number++) saveFilter('ada', { name: `${number}`, filters: { search: `${number}` } })
  const names = loadSavedFilters('ada').map(({ name }) => name)
  expect([names.length, names[0], names.at(-1)]).toEqual([20, '5', '24'])
  for (const [text, expected] of [
    ['no JSON', []],
    ['{"a":1}', []],
    [
      '[null,3,{"name":"x"},{"name":"y","filters":{"search":"z","odd":"1","status":4}}]',
      [{ name: 'y', filters: { search: 'z' } }],
    ],
  ] as const) {
    stored.set('saved-filters ada', text)
    expect(loadSavedFilters('ada')).toEqual(expected)
  }
})
