/** The shop's articles. Prices are in dollars of stablecoin: the same number of USDC or USDT. */
export type Product = { id: string; name: string; detail: string; price: string; tooMuch: string; half: string }

/** `half` and `tooMuch` are the wrong amounts that the devnet buttons send. */
export const products: readonly [Product, ...Product[]] = [
  {
    id: 'beans',
    name: 'Sidamo beans, 1 kg',
    detail: 'Washed Ethiopian, roasted on Monday. Apricot, jasmine, a long sweet end.',
    price: '25.00',
    half: '12.50',
    tooMuch: '30.00',
  },
  {
    id: 'filters',
    name: 'Paper filters, 100 pcs',
    detail: 'Unbleached cones for one to four cups.',
    price: '4.80',
    half: '2.40',
    tooMuch: '9.80',
  },
]

export const currencies = ['USDC', 'USDT'] as const
