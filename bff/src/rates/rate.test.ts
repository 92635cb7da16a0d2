import { times } from '@stablecoin-checkout/rig/nightly'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCurrency } from '../core/currency-codes.ts'
import { parseRate, rateTable } from './rate.ts'

/** 10^40 is one: exact for every rate that is read. */
const scale = 40
const scaled = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`))
/** Decimal text of a rate, with zeros in front and behind. */
const texts = fc
  .tuple(digits(3), fc.integer({ min: 0, max: 999_999_999 }), digits(scale))
  .map(([zeros, whole, fraction]) => `${zeros.replaceAll(/./g, '0')}${whole}${fraction && `.${fraction}`}`)
  .filter((text) => /[1-9]/.test(text))

describe('a rate', () => {
  test('is never more than it was, and less by under a unit of its fifteenth digit', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rate = parseRate(text)
        const lost = scaled(text) - scaled(rate)
        const unit = 10n ** BigInt(Math.max(0, String(scaled(text)).length - 15))
        expect(lost).toBeGreaterThanOrEqual(0n)
        expect(lost).toBeLessThan(unit)
        // One text for one rate: without zeros that say nothing.
        expect(rate).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(parseRate(rate)).toBe(rate)
      }),
      { numRuns: times(300, 10_000) },
    )
  })

  test('survives a JSON number: its digits come back unchanged', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rate = parseRate(text)
        const number = JSON.parse(JSON.stringify(Number(rate))) as number
        const [mantissa = ''] = number.toExponential(14).split('e')
        const significant = rate.replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
        expect(mantissa.replace('.', '').replace(/0+$/, '')).toBe(significant)
      }),
      { numRuns: times(300, 10_000) },
    )
  })

  test.each([
    ['1.50', '1.5'],
    ['007', '7'],
    ['0.1', '0.1'],
    [1530.2, '1530.2'],
    ['999999999', '999999999'],
    ['123456789.1234567', '123456789.123456'],
    ['0.00012345678901234567', '0.000123456789012345'],
    ['1.00000000000000099', '1'],
  ])('%s is %s', (value, rate) => {
    expect(parseRate(value)).toBe(rate)
  })

  test.each([
    ['1000000000', '1000000000 is implausibly high.'],
    ['0', '0 is not above zero.'],
    ['0.000', '0.000 is not above zero.'],
    ['-1', '"-1" is not a decimal number.'],
    ['1.5 ', '"1.5 " is not a decimal number.'],
    ['x1.5', '"x1.5" is not a decimal number.'],
    ['1.', '"1." is not a decimal number.'],
    ['.5', '".5" is not a decimal number.'],
    [`0.${'1'.repeat(41)}`, `"0.${'1'.repeat(41)}" is not a decimal number.`],
    [1e-7, '1e-7 is not a decimal number.'],
    [['1'], '["1"] is not a decimal number.'],
    [null, 'null is not a decimal number.'],
    [true, 'true is not a decimal number.'],
  ])('%j is refused', (value, message) => {
    expect(() => parseRate(value)).toThrow(new Error(message))
  })
})

describe('the table of a provider', () => {
  test('has the currencies of ISO 4217, and of a token without one nothing', () => {
    expect([isCurrency('NGN'), isCurrency('BTC')]).toEqual([true, false])
    const given = { USDC: { USD: '1.0', NGN: 1530.2, BTC: 'much' }, USDT: { ETH: '0.0004' } }
    expect(rateTable(given)).toEqual({ USDC: { USD: '1', NGN: '1530.2' } })
    expect(rateTable({ USDT: { NGN: 1500 } })).toEqual({ USDT: { NGN: '1500' } })
  })

  test.each(['0.8', '1.25', '1'])('is believed when a stablecoin is worth %s dollars', (USD) => {
    expect(rateTable({ USDC: { USD } })).toEqual({ USDC: { USD } })
  })

  test.each(['0.79999', '1.25001'])('is not believed when a stablecoin is worth %s dollars', (USD) => {
    expect(() => rateTable({ USDC: { USD } })).toThrow(new Error(`USDC at ${USD} USD is implausible for a stablecoin.`))
  })

  test('is no table without a rate, or with one that is none', () => {
    for (const given of [{}, { USDC: {} }, { USDC: { BTC: '1' } }])
      expect(() => rateTable(given)).toThrow(new Error('The response contains no rate.'))
    expect(() => rateTable({ USDC: { USD: '1', NGN: 'much' } })).toThrow(new Error('"much" is not a decimal number.'))
  })
})
