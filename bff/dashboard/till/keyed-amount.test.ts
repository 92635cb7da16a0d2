import { expect, test } from 'vitest'
import { isZero, keyed, noAmount, textOf } from './keyed-amount.ts'

const type = (currency: string | null, ...keys: string[]) => textOf(keys.reduce(keyed, noAmount(currency)))

test('digits are keyed in from the cents up, in the decimals of the currency', () => {
  expect(type('EUR', '1', '2', '5', '0')).toBe('12.50')
  expect(type('EUR', '5')).toBe('0.05')
  expect(type(null, '1', '00')).toBe('1.00')
  expect(type('JPY', '1', '2', '5', '0')).toBe('1250')
  expect(type('KWD', '1', '2', '5', '0')).toBe('1.250')
})

test('one key takes a digit back, one key clears all', () => {
  expect(type('EUR', '1', '2', '5', 'Backspace')).toBe('0.12')
  expect(type('EUR', '1', '2', '5', 'Escape')).toBe('0.00')
  expect(isZero(['1', 'Escape'].reduce(keyed, noAmount('EUR')))).toBe(true)
  expect(isZero(['0', '00', 'Backspace'].reduce(keyed, noAmount('EUR')))).toBe(true)
})

test('other keys, leading zeros and what does not fit change nothing', () => {
  expect(type('EUR', '0', '00', 'a', '.', 'Enter', '-', '7')).toBe('0.07')
  expect(type('EUR', ...'123456789'.split(''), '0', '00')).toBe('1234567.89')
})
