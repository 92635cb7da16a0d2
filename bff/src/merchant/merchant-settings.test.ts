import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import {
  defaultSettings,
  formatGasLimit,
  formatSettings,
  formatTolerance,
  gasLimitOf,
  leastOf,
  parseCurrency,
  parseGasLimit,
  parseLatePayments,
  parsePublicReports,
  parseTolerance,
  takesSignatures,
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
  expect(parseTolerance('1000,999999999.000001')).toEqual({ bps: 1_000, maxMicros: 999_999_999_000_001n })
  const wrong = ['', '100', '1%,1', '100,-1', '100,1.0000001', '100, 1', '1e2,1', ' 100,1', '100,1 ', '10000,1']
  for (const text of [...wrong, '100,1234567890', '100,1.', '100,1,5', '100,.5']) {
    const rule = `tolerance must be BPS,AMOUNT such as 100,1.50 (1 %, at most 1.50 tokens), not "${text}"`
    expect(() => parseTolerance(text), text).toThrow(rule)
  }
  expect(() => parseTolerance('7'.repeat(61))).toThrow(`not "${'7'.repeat(60)}"`)
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
  for (const text of ['', 'EURO', 'USDC', 'BTC']) {
    const rule = `currency must be none, or a code of ISO 4217 such as EUR, not "${text}"`
    expect(() => parseCurrency(text), text).toThrow(rule)
  }
})

test('late payments are reported until the merchant accepts them, in one of two words', () => {
  expect(defaultSettings.latePayments).toBe('report')
  expect([parseLatePayments('report'), parseLatePayments('accept')]).toEqual(['report', 'accept'])
  expect(() => parseLatePayments('on')).toThrow('late payments must be report or accept, not "on"')
})

test('a bound of gas is off, or a share of at most all with a least and a most, each exact to a millionth', () => {
  expect(parseGasLimit('off')).toEqual({ bps: 0, minMicros: 0, maxMicros: 0 })
  expect(parseGasLimit('100,0.02,1')).toEqual({ bps: 100, minMicros: 20_000, maxMicros: 1_000_000 })
  expect(parseGasLimit('10000,9999.999999,9999.999999')).toEqual({
    bps: 10_000,
    minMicros: 9_999_999_999,
    maxMicros: 9_999_999_999,
  })
  expect(parseGasLimit('100,0,1')).toEqual({ bps: 100, minMicros: 0, maxMicros: 1_000_000 })
  const rule = 'signature gas must be off, or BPS,MIN,MAX such as 100,0.02,1'
  const wrong = ['', 'on', '100', '100,1', '100,1,2,3', '10001,0,1', '100000,0,1', '-1,0,1', '1.5,0,1', 'x100,0,1']
  for (const text of [...wrong, '100x,0,1', '100,x1,2', '100,1x,2', '100,1,2x', '100,1.,2', '100,1,12345']) {
    expect(() => parseGasLimit(text), text).toThrow(rule)
    expect(() => parseGasLimit(text), text).toThrow(`not "${text}"`)
  }
  expect(() => parseGasLimit('100,1,0.999999')).toThrow('signature gas must have a MIN that is not above its MAX')
  expect(() => parseGasLimit('7'.repeat(61))).toThrow(`not "${'7'.repeat(60)}"`)
})

test('the merchant pays for signatures unless the most is nothing', () => {
  expect(takesSignatures(defaultSettings)).toBe(true)
  expect(takesSignatures({ ...defaultSettings, signatureGas: parseGasLimit('off') })).toBe(false)
  expect(takesSignatures({ ...defaultSettings, signatureGas: parseGasLimit('0,0,0.000001') })).toBe(true)
})

test('settings are printed in the words that the commands take', () => {
  for (const text of ['100,1.50', '0,0.00']) expect(formatTolerance(parseTolerance(text))).toBe(text)
  for (const text of ['100,0.02,1.00', '100,0.00,1.00', 'off']) expect(formatGasLimit(parseGasLimit(text))).toBe(text)
  expect(formatSettings(defaultSettings).split('\n')).toEqual([
    'tolerance 0,0.00',
    'late payments report',
    'public reports off',
    'signature gas 100,0.02,1.00',
    'key origins any',
    'currency none',
  ])
  const chosen = { ...defaultSettings, publicReports: true, currency: 'EUR', keyOrigins: ['https://shop.example'] }
  expect(formatSettings(chosen).split('\n').slice(2)).toEqual([
    'public reports on',
    'signature gas 100,0.02,1.00',
    'key origins https://shop.example',
    'currency EUR',
  ])
})
