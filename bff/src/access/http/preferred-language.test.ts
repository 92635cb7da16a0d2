import { expect, test } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

const isKnown = (code: string): code is 'en' | 'de' | 'pt' => ['en', 'de', 'pt'].includes(code)

test.each([
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['en;q=0.4, DE-at;q=0.7', 'de'],
  ['xx, de;q=0.5', 'de'],
  ['de;q=0, pt;q=0.1', 'pt'],
  ['*', 'en'],
  ['xx', 'en'],
  ['__proto__, constructor', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('of "%s" the page is in "%s"', (header, language) => {
  expect(preferredLanguage(header, isKnown)).toBe(language)
})
