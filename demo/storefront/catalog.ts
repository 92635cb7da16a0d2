/** An article of the shop. `price` is in dollars: the same number of USDC or USDT. The shop asks the same number of euros. */
export type Product = { id: string; name: string; detail: string; price: string }

export const products: readonly Product[] = [
  {
    id: 'beans',
    name: 'Sidamo beans, 1 kg',
    detail: 'Washed Ethiopian, roasted on Monday. Apricot, jasmine, a long sweet end.',
    price: '25.00',
  },
  {
    id: 'espresso',
    name: 'House espresso, 250 g',
    detail: 'Brazil and Guatemala, roasted for the moka pot. Cocoa, hazelnut.',
    price: '9.50',
  },
  { id: 'filters', name: 'Paper filters, 100 pcs', detail: 'Unbleached cones for one to four cups.', price: '4.80' },
  { id: 'dripper', name: 'Ceramic dripper', detail: 'Glazed by hand in Porto. One to two cups.', price: '22.00' },
  { id: 'mug', name: 'Stoneware mug', detail: 'Holds 300 ml, keeps them warm.', price: '14.00' },
  { id: 'grinder', name: 'Hand grinder', detail: 'Steel burrs, forty steps, two minutes a pot.', price: '64.00' },
]

export const currencies = ['USDC', 'USDT', 'EURC'] as const

/** The currency of prices paid in the token, and its sign. */
export const pricesIn = (currency: string) =>
  currency === 'EURC' ? ({ currency: 'EUR', sign: '€' } as const) : ({ currency: 'USD', sign: '$' } as const)
