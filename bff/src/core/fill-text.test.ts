import { expect, test } from 'vitest'
import { fillText } from './fill-text.ts'

const days = '{0, plural, one {# day} other {# days}} of {1}'

test.each([
  ['0', '0 days of May'],
  ['1', '1 day of May'],
  ['2', '2 days of May'],
  ['1,001', '1,001 days of May'],
])('%s chooses the form of English', (count, text) => {
  expect(fillText(days, [count, 'May'], 'en')).toBe(text)
})

test('each form of Arabic is chosen by its numbers', () => {
  const text = '{0, plural, zero {a} one {b} two {c} few {d#} many {e#} other {f#}}'
  const formsOf = (counts: number[]) => counts.map((count) => fillText(text, [count], 'ar'))
  expect(formsOf([0, 1, 2, 3, 10, 11, 99, 100, 103])).toEqual([
    'a',
    'b',
    'c',
    'd3',
    'd10',
    'e11',
    'e99',
    'f100',
    'd103',
  ])
})

test('a text without the form of a number uses that of other numbers', () => {
  expect(fillText('{0, plural, other {# ngày}}', [1], 'vi')).toBe('1 ngày')
  expect(fillText('{0, plural, other {# jours}}', [1], 'fr')).toBe('1 jours')
})

test('a value is text: places and marks in it stay as they are', () => {
  expect(fillText('{0} {1}', ['{1}', '$&'], 'en')).toBe('{1} $&')
  expect(fillText('{0, plural, other {# x}}', ['\u2068$&2\u2069'], 'en')).toBe('\u2068$&2\u2069 x')
})
