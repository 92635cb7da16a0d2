import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null })
const { languageNames } = await import('../locales/locale.ts')
const { parseAmount } = await import('./parse-amount.ts')

const localeOf = (code: string): string => `${code}-u-nu-latn`
const inLanguages = (text: string, codes: readonly string[]) => codes.map((code) => parseAmount(text, localeOf(code)))

describe('an amount is read as the reader’s language writes it', () => {
  test('1,250 is a thousand and more in English, and less than two in German', () => {
    expect(inLanguages('1,250', ['en', 'sw', 'zh', 'ar', 'hi'])).toEqual(['1250', '1250', '1250', '1250', '1250'])
    expect(inLanguages('1,250', ['de', 'es', 'fr', 'id', 'pt', 'tr', 'vi'])).toEqual(Array(7).fill('1.250'))
    expect(inLanguages('1.250', ['en', 'hi', 'zh'])).toEqual(['1.250', '1.250', '1.250'])
    expect(inLanguages('1.250', ['de', 'id', 'tr', 'vi', 'es', 'pt'])).toEqual(Array(6).fill('1250'))
  })

  test('what can be read in two ways, or in none, is refused', () => {
    expect(inLanguages('12,50', ['en', 'hi', 'zh'])).toEqual([null, null, null])
    expect(inLanguages('12.50', ['de', 'tr', 'fr'])).toEqual([null, null, null])
    const refused = [
      ...['', ',', '1,2,3', '1,25', '1,2500', ',250', '1,,250', '1 25', '1.2.3', '1.', '.5', '-1', '1e3', '1_000'],
      ...[
        '12345678901',
        '1.0000000000000000001',
        'ten',
        '1,250.5 USDC',
        '1 250,000',
        '12,34,567',
        '1250,000',
        '0001,250',
      ],
    ]
    expect(refused.map((text) => parseAmount(text, 'en'))).toEqual(refused.map(() => null))
  })

  test('groups may be left out, be spaces, or those of India', () => {
    expect(['1250', '1 250', '1\u202f250', '1’250.5', '01,250'].map((text) => parseAmount(text, 'en'))).toEqual([
      ...['1250', '1250', '1250', '1250.5', '1250'],
    ])
    expect(parseAmount('1 250,5', localeOf('fr'))).toBe('1250.5')
    expect(parseAmount('12,34,567.5', localeOf('hi'))).toBe('1234567.5')
    expect(parseAmount('1,234,567', localeOf('hi'))).toBe('1234567')
  })

  test('digits of Arabic and Hindi keyboards count', () => {
    expect(parseAmount('١٬٢٥٠٫٥', localeOf('ar'))).toBe('1250.5')
    expect(parseAmount('१,२५०.५', localeOf('hi'))).toBe('1250.5')
    expect(parseAmount('۱۲۵۰', localeOf('ar'))).toBe('1250')
  })

  test('the Arabic separators mean the same in every language: never a thousand for what is one and a quarter', () => {
    const all = Object.keys(languageNames)
    expect(inLanguages('١٫٢٥٠', all)).toEqual(all.map(() => '1.250'))
    expect(inLanguages('١٬٢٥٠', all)).toEqual(all.map(() => '1250'))
  })

  test('what a page shows is read back as it was, in every language', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(languageNames)),
        fc.integer({ min: 0, max: 9_999_999_999 }),
        fc.integer({ min: 0, max: 999_999 }),
        (code, whole, millionths) => {
          const amount = `${whole}.${String(millionths).padStart(6, '0')}`
          const shown = new Intl.NumberFormat(localeOf(code), { minimumFractionDigits: 6 }).format(
            amount as `${number}`,
          )
          expect(parseAmount(shown, localeOf(code))).toBe(amount)
        },
      ),
    )
  })
})
