import { expect, test } from 'vitest'
import { currencyText } from './currency-text.ts'

const formatted = (language: string, currency: string, amount = '1234.50') =>
  currencyText(
    new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'currency', currency }).format(
      amount as Intl.StringNumericLiteral,
    ),
  )

test('letters and sign of a currency keep their order in Arabic', () => {
  expect(formatted('ar', 'USD')).toBe('\u200f1,234.50\u00a0\u2066US$\u2069')
  // What has no letters, or no sign behind them, needs nothing.
  expect(formatted('ar', 'EUR')).toBe('\u200f1,234.50\u00a0€')
  expect(formatted('ar', 'CHF')).toBe('\u200f1,234.50\u00a0CHF')
})

test('nothing else is changed, and every digit is kept', () => {
  expect(formatted('en', 'USD')).toBe('$1,234.50')
  expect(formatted('pt', 'USD')).toBe('US$\u00a01.234,50')
  expect(formatted('ar', 'USD', '90071992547409931.25')).toContain('90,071,992,547,409,931.25')
})
