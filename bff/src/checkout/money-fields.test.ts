import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { moneyOfLink, moneyOfPayment, moneyOfPrice } from './money-fields.ts'

test('a payment’s terms are its base units, token, network and mode, and what was asked is as it was written', () => {
  const payment = newPayment({ mode: 'deposit' })
  const { due, currency, network } = payment
  expect(moneyOfPayment(payment, { amount: '25.0' } as never)).toEqual({
    terms: `${due} ${currency} on ${network} by deposit`,
    asked: `25.0 ${currency} on ${network}`,
  })
})

test('the terms of a price are the same in any case of its token and network, and hold no rate', () => {
  const price = { amount: '20.00', currency: 'EUR' }
  const asked = { amount: '23.15', price, currency: 'usdc', network: 'Base' } as never
  expect(moneyOfPrice(price, asked, 'contract')).toEqual({
    terms: 'price 20.00 EUR in USDC on base by contract',
    asked: '20.00 EUR in usdc on Base',
  })
})

test('a link’s terms are exact, and name what the customer chooses as any', () => {
  const open = { currency: null, network: null, paymentsMax: 1 }
  const terms = (amount: string) => moneyOfLink({ amount, price: null }, open).terms
  expect(terms('25.00')).toBe(terms('25'))
  expect(terms('25.00')).not.toBe(terms('25.000000000000000001'))
  expect(moneyOfLink({ amount: '25.00', price: null }, open)).toEqual({
    terms: `25${'0'.repeat(36)} in any on any by link, 1 times`,
    asked: '25.00 in any token on any network, paid at most 1 times',
  })
  const chosen = { currency: 'USDC', network: 'base', paymentsMax: 3 }
  expect(moneyOfLink({ amount: null, price: { amount: '20.00', currency: 'EUR' } }, chosen)).toEqual({
    terms: 'price 20.00 EUR in USDC on base by link, 3 times',
    asked: '20.00 EUR in USDC on base, paid at most 3 times',
  })
})
