import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import {
  defaultSettings,
  gasLimitOf,
  leastOf,
  parseCurrency,
  parsePublicReports,
  parseTolerance,
} from './merchant-settings.ts'

test('the least is what is due less the share, and never less than the cap allows', () => {
  const tolerance = parseTolerance('100,1.50')
  expect(leastOf(baseUnits('25000000'), 6, tolerance)).toBe(24_750_000n)
  expect(leastOf(baseUnits('1000000000'), 6, tolerance)).toBe(998_500_000n)
  expect(leastOf(baseUnits('25000000000000000000'), 18, tolerance)).toBe(24_750_000_000_000_000_000n)
  expect(leastOf(baseUnits('100000'), 2, tolerance)).toBe(99_850n)
})

test('a merchant who has said nothing accepts nothing less, and one half of a tolerance is none', () => {
  expect(leastOf(baseUnits('25000000'), 6, defaultSettings.tolerance)).toBe(25_000_000n)
  expect(leastOf(baseUnits('25000000'), 6, parseTolerance('100,0'))).toBe(25_000_000n)
  expect(leastOf(baseUnits('25000000'), 6, parseTolerance('0,1.50'))).toBe(25_000_000n)
})

test('a tolerance that is more than a tenth, or not plain, is refused', () => {
  expect(() => parseTolerance('1001,1')).toThrow('at most 1000 basis points')
  for (const text of ['', '100', '1%,1', '100,-1', '100,1.0000001', '100, 1', '1e2,1']) {
    expect(() => parseTolerance(text), text).toThrow('tolerance must be BPS,AMOUNT')
  }
})

test('whatever the tolerance, the least is more than nothing and no more than what is due', () => {
  const someTolerance = fc.record({ bps: fc.integer({ min: 0, max: 1_000 }), maxMicros: fc.bigInt(0n, 10n ** 15n) })
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 27n),
      fc.integer({ min: 0, max: 36 }),
      someTolerance,
      (due, decimals, tolerance) => {
        const least = leastOf(due as BaseUnits, decimals, tolerance)
        expect(least > 0n && least <= due).toBe(true)
        expect((due - least) * 10_000n <= due * BigInt(tolerance.bps)).toBe(true)
        expect((due - least) * 1_000_000n <= tolerance.maxMicros * 10n ** BigInt(decimals)).toBe(true)
      },
    ),
  )
})

test('the gas of a payment by signature costs its share, within the bounds, and the least where no rate is known', () => {
  const someLimit = fc
    .tuple(fc.integer({ min: 0, max: 10_000 }), fc.nat(9_999_999_999), fc.nat(9_999_999_999))
    .map(([bps, one, other]) => ({ bps, minMicros: Math.min(one, other), maxMicros: Math.max(one, other) }))
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 27n),
      fc.integer({ min: 0, max: 18 }),
      someLimit,
      (amount, tokenDecimals, limit) => {
        const { bps, minMicros, maxMicros } = limit
        expect(gasLimitOf(amount, { tokenDecimals, dollarRate: null }, limit)).toBe(minMicros)
        const share = (((amount * 10n ** 6n) / 10n ** BigInt(tokenDecimals)) * BigInt(bps)) / 10_000n
        const [min, max] = [BigInt(minMicros), BigInt(maxMicros)]
        const most = share > max ? max : share < min ? min : share
        expect(BigInt(gasLimitOf(amount, { tokenDecimals, dollarRate: '1' }, limit))).toBe(most)
      },
    ),
  )
  expect(gasLimitOf(10_000_000n, { tokenDecimals: 6, dollarRate: '1.2' }, defaultSettings.signatureGas)).toBe(120_000)
})

test('a public key reads no turnover until the merchant says so, in one of two words', () => {
  expect(defaultSettings.publicReports).toBe(false)
  expect([parsePublicReports('on'), parsePublicReports('off')]).toEqual([true, false])
  expect(() => parsePublicReports('yes')).toThrow('public reports must be on or off, not "yes"')
})

test('a currency is a code of ISO 4217, in whatever case, or none', () => {
  expect(['EUR', 'eur', 'none'].map(parseCurrency)).toEqual(['EUR', 'EUR', null])
  for (const text of ['', 'EURO', 'USDC', 'BTC']) expect(() => parseCurrency(text), text).toThrow('code of ISO 4217')
})
