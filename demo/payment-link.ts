/** Fixed exchange rates: the demo needs no rate provider. */
export const demoRates = {
  fixed: { asOf: '2026-11-21T12:01:00Z', USDC: { USD: 1, EUR: 0.9213 }, USDT: { USD: 1, EUR: 0.9208 } },
}

/** The link that the demo prints: reusable, with a price in euros. */
export const demoLink = {
  price: '25.00',
  priceCurrency: 'EUR',
  description: 'Coffee for the office',
  maxPayments: 1_000,
}
