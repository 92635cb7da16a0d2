import { expect, test } from 'vitest'
import { areAddable, changeOf, commonCurrencies, knownCurrencies, totalIn } from './shop-total.ts'

const usdc = { network: 'base', currency: 'USDC', decimals: 6, received: '1500000' }
const usdt = { network: 'bsc', currency: 'USDT', decimals: 18, received: '2000000000000000009' }
const rates = { USDC: { USD: 1, EUR: 0.92 }, USDT: { USD: 0.999 } }

test('one total is the sum of all tokens at their rates, whatever their decimals, rounded down once', () => {
  expect(totalIn('USD', [usdc, usdt], rates)).toBe('3.49')
  expect(totalIn('EUR', [usdc], rates)).toBe('1.38')
  expect(totalIn('USD', [], rates)).toBe('0.00')
  // Two halves of a cent are a cent: no token is rounded by itself.
  const half = { ...usdc, received: '5000' }
  expect(totalIn('USD', [half, { ...half, network: 'polygon' }], rates)).toBe('0.01')
  const large = { ...usdc, received: '123456789012345678901234' }
  expect(totalIn('USD', [large], rates)).toBe('123456789012345678.90')
})

test('a token without a rate leaves no total, and its currency is not offered', () => {
  expect(totalIn('EUR', [usdc, usdt], rates)).toBeNull()
  expect(commonCurrencies(['USDC', 'USDT', 'USDC'], rates)).toEqual(['USD'])
  expect(commonCurrencies(['USDC'], rates)).toEqual(['EUR', 'USD'])
  expect(commonCurrencies(['DAI'], rates)).toEqual([])
  expect(commonCurrencies([], rates)).toEqual([])
})

test('a change is a share of what was before, and none where nothing was', () => {
  expect(changeOf('150.00', '100.00')).toBe(0.5)
  expect(changeOf('50.00', '100.00')).toBe(-0.5)
  expect(changeOf('50.00', '0.00')).toBeNull()
})

test('tokens of different currencies are added at their rates alone, and never as if one were the other', () => {
  const parity = { USDC: { USD: 1 }, USDT: { USD: 1 }, EURC: { EUR: 1 } }
  const euros = { network: 'base', currency: 'EURC', decimals: 6, received: '1000000' }
  expect(commonCurrencies(['USDC', 'EURC'], parity)).toEqual([])
  expect(knownCurrencies(['USDC', 'EURC'], parity)).toEqual(['EUR', 'USD'])
  expect([totalIn('USD', [usdc, euros], parity), totalIn('EUR', [usdc, euros], parity)]).toEqual([null, null])
  expect([areAddable(['USDC', 'USDT', 'USDC']), areAddable(['EURC']), areAddable([])]).toEqual([true, true, true])
  expect([areAddable(['USDC', 'EURC']), areAddable(['EURC', 'EURX'])]).toEqual([false, false])
})
