import { describe, expect, test } from 'vitest'
import { dividedRate, type RateTable } from './rate.ts'
import { isListed, type RatedToken, withTokenRates } from './token-rates.ts'

const euro = { symbol: 'EURC', currency: 'EUR' }
const dollar = { symbol: 'PYUSD', currency: 'USD' }

const ratesOf = async (rates: RateTable, ...tokens: RatedToken[]) =>
  (await withTokenRates(async () => ({ rates, asOfMs: 1, provider: 'test' }), tokens)()).rates

describe('the rates of a token that no provider lists', () => {
  test('are one unit of its currency, and in all others what the dollar gives for that unit', async () => {
    const listed = { USDC: { USD: '1', EUR: '0.8', JPY: '160' } }
    expect(await ratesOf(listed, euro)).toEqual({ ...listed, EURC: { USD: '1.25', EUR: '1', JPY: '200' } })
    expect(await ratesOf(listed, dollar)).toEqual({ ...listed, PYUSD: { USD: '1', EUR: '0.8', JPY: '160' } })
  })

  test('are exact to 15 digits, rounded down, so that the customer is never asked for too little', async () => {
    const { EURC } = await ratesOf({ USDC: { USD: '0.999905', EUR: '0.9213' } }, euro)
    expect(EURC).toEqual({ USD: '1.0853196570064', EUR: '1' })
  })

  test('are computed from USDT where USDC is missing, and from a dollar at par where its rate is', async () => {
    expect(await ratesOf({ USDT: { EUR: '0.8' } }, euro)).toMatchObject({ EURC: { EUR: '1', USD: '1.25' } })
  })

  test('are computed from USDC where both are there', async () => {
    const listed = { USDT: { USD: '1', EUR: '0.5' }, USDC: { USD: '1', EUR: '0.8' } }
    expect(await ratesOf(listed, euro)).toMatchObject({ EURC: { EUR: '1', USD: '1.25' } })
  })

  test('are its own currency alone where the source has no rate of that', async () => {
    expect(await ratesOf({ USDC: { USD: '1', JPY: '160' } }, euro)).toMatchObject({ EURC: { EUR: '1' } })
    expect(await ratesOf({}, euro)).toEqual({ EURC: { EUR: '1' } })
  })

  test('leave out a quotient that is no rate, and keep the others', async () => {
    const listed = { USDC: { USD: '1', EUR: '0.000000001', JPY: '160' } }
    expect(await ratesOf(listed, euro)).toMatchObject({ EURC: { EUR: '1' } })
    expect((await ratesOf(listed, euro))['EURC']).not.toHaveProperty('JPY')
  })

  test('never take the place of a listed token, whose rate is the provider’s or none', async () => {
    const listed = { USDC: { USD: '0.99' } }
    expect(await ratesOf(listed, { symbol: 'USDC', currency: 'USD' }, { symbol: 'USDT', currency: 'USD' })).toEqual(
      listed,
    )
    expect(['USDC', 'USDT', 'EURC', 'PYUSD'].map(isListed)).toEqual([true, true, false, false])
  })

  test('are those of the newest table', async () => {
    let table: RateTable = { USDC: { USD: '1', EUR: '0.8' } }
    const read = withTokenRates(async () => ({ rates: table, asOfMs: 1, provider: 'test' }), [euro])
    expect((await read()).rates['EURC']?.['USD']).toBe('1.25')
    table = { USDC: { USD: '1', EUR: '0.5' } }
    expect((await read()).rates['EURC']?.['USD']).toBe('2')
  })
})

test('a quotient of rates has 15 digits at most, and is refused where it is no rate', () => {
  expect(dividedRate('1', '3')).toBe('0.333333333333333')
  expect(dividedRate('0.000000001', '160.5')).toBe('0.00000000000623052959501557')
  expect(() => dividedRate('999999999', '0.001')).toThrow(/implausibly high/)
})
