import { expect } from '@open-wc/testing'
import { amountFor } from './price.ts'

suite('a price in another currency', () => {
  for (const [price, rate, amount] of [
    ['19.99', 0.92, '21.73'],
    ['20', 1, '20.00'],
    ['1', 3, '0.34'],
    ['0.01', 1500.5, '0.01'],
    ['1500.50', 1500.5, '1.00'],
    ['100', 1e-7, '1000000000.00'],
    ['100', 1.5e21, '0.01'],
    ['999999999999999.9999', 1, '1000000000000000.00'],
    ['0.3', 0.1, '3.00'],
  ] as const)
    test(`${price} at ${rate} is ${amount}: exactly, and never less than the price`, () => {
      expect(amountFor(price, rate)).to.equal(amount)
    })

  test('is at most a cent of the token more', () => {
    for (let count = 0; count < 500; count++) {
      const [cents, rate] = [1 + count * 7919, (1 + ((count * 104_729) % 9973)) / 100]
      const price = (cents / 100).toFixed(2)
      const amountInCents = BigInt(amountFor(price, rate).replace('.', ''))
      // Compared in hundredths of cents, without a float: amount × rate >= price > (amount − 1 cent) × rate.
      const rateInHundredths = BigInt(Math.round(rate * 100))
      const wanted = BigInt(cents) * 100n
      expect(amountInCents * rateInHundredths >= wanted, `${price} at ${rate}`).to.equal(true)
      expect((amountInCents - 1n) * rateInHundredths < wanted, `${price} at ${rate}`).to.equal(true)
    }
  })
})
