import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, baseUnits, exact, excess, formatAmount, multiplied, parseAmount } from './money.ts'

describe('amounts', () => {
  test('are parsed exactly, from text and from JSON numbers', () => {
    expect(parseAmount('25.00', 6)).toBe(25_000_000n)
    expect(parseAmount(10.5, 6)).toBe(10_500_000n)
    expect(parseAmount('0.000001', 6)).toBe(1n)
    expect(parseAmount('1.5000000000', 6)).toBe(1_500_000n)
    expect(parseAmount('9.3', 18)).toBe(9_300_000_000_000_000_000n)
    expect(parseAmount('25', 6)).toBe(25_000_000n)
    expect(parseAmount(25, 0)).toBe(25n)
    expect(parseAmount('1000000000', 6)).toBe(10n ** 15n)
  })

  test.each([
    [0.1 + 0.2, 300_000n],
    [4.35 * 100, 435_000_000n],
    [1.1 * 3, 3_300_000n],
    [999_999_999.999999, 999_999_999_999_999n],
    [1e9, 1_000_000_000_000_000n],
  ])('of a JSON number are its 15 significant digits: %d', (input, units) => {
    expect(parseAmount(input, 6)).toBe(units)
  })

  test.each([
    '1.0000005',
    1.0000005,
    '0.30000000000000004',
    1e-7,
    '1e3',
    1e21,
    '-1',
    '+1',
    '',
    ' 1',
    '1.',
    '.5',
    '1,5',
    '0',
    '0.00',
    'NaN',
    Number.NaN,
    '0x10',
    '1000000000.1',
  ])('are refused rather than rounded or guessed: %s', (input) => {
    expect(() => parseAmount(input, 6)).toThrow(/amount/)
  })

  test('are refused with the first sixty characters of what was given, and no more', () => {
    expect(() => parseAmount('x'.repeat(61), 6)).toThrow(
      `amount must be a plain decimal number such as 25.00, not "${'x'.repeat(60)}"`,
    )
  })

  test('survive formatting and parsing, whatever the decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 24 }), (amount, decimals) => {
        fc.pre(amount <= 1_000_000_000n * 10n ** BigInt(decimals))
        expect(parseAmount(formatAmount(baseUnits(String(amount)), decimals), decimals)).toBe(amount)
      }),
    )
  })

  test('show two decimals at least, and more only where they are not zero', () => {
    expect(formatAmount(baseUnits('25000000'), 6)).toBe('25.00')
    expect(formatAmount(baseUnits('1'), 6)).toBe('0.000001')
    expect(formatAmount(baseUnits('0'), 6)).toBe('0.00')
    expect(formatAmount(baseUnits('7'), 0)).toBe('7.00')
  })

  test('add up, and what is over is never negative', () => {
    expect(add(baseUnits('2'), baseUnits('3'))).toBe(5n)
    expect(excess(baseUnits('5'), baseUnits('3'))).toBe(2n)
    expect(excess(baseUnits('3'), baseUnits('5'))).toBe(0n)
  })

  test('times a factor are the least number that is not below the product', () => {
    expect([multiplied(2n, '0.5'), multiplied(3n, '0.5'), multiplied(1n, '0.000001'), multiplied(0n, '9.3')]).toEqual([
      1n,
      2n,
      1n,
      0n,
    ])
    const factor = fc.stringMatching(/^\d{1,9}(\.\d{1,18})?$/)
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), factor, (amount, text) => {
        const { units, decimals } = exact(text)
        const missing = multiplied(amount, text) * 10n ** BigInt(decimals) - amount * units
        expect(missing >= 0n && missing < 10n ** BigInt(decimals)).toBe(true)
      }),
    )
  })
})
