import { expect, test } from 'vitest'
import { countOf, formatCart, linePrice, parseCart, totalPrice, withQuantity, wrongAmounts } from './cart.ts'

test('a cart reads as it was written, in the order of the shelf, and costs the sum of its articles', () => {
  const cart = parseCart('filters-3.beans-2')
  expect(formatCart(cart)).toBe('beans-2.filters-3')
  expect(countOf(cart)).toBe(5)
  expect(cart.map(linePrice)).toEqual(['50.00', '14.40'])
  expect(totalPrice(cart)).toBe('64.40')
})

test('what the shop does not sell, and a quantity that no household orders, are not in the cart', () => {
  const texts = ['', 'cheese-1', 'beans', 'beans-0', 'beans-1000', 'beans--1', 'beans-1e', '<b>-1', 'toString-1']
  for (const text of texts) expect(formatCart(parseCart(text)), text).toBe('')
  expect(formatCart(parseCart('beans-99'))).toBe('beans-20')
})

test('an article is added, changed and removed', () => {
  const cart = withQuantity(parseCart(''), 'mug', 1)
  expect(formatCart(cart)).toBe('mug-1')
  expect(formatCart(withQuantity(cart, 'beans', 2))).toBe('beans-2.mug-1')
  expect(formatCart(withQuantity(cart, 'mug', 0))).toBe('')
  expect(formatCart(withQuantity(cart, 'mug', -3))).toBe('')
  expect(formatCart(withQuantity(cart, 'mug', 21))).toBe('mug-20')
  expect(formatCart(withQuantity(cart, 'cheese', 1))).toBe('mug-1')
})

test('half of a price is whole cents', () => {
  expect(wrongAmounts('25.00')).toEqual({ half: '12.50', tooMuch: '30.00' })
  expect(wrongAmounts('0.05')).toEqual({ half: '0.02', tooMuch: '5.05' })
})
