import { type BaseUnits, formatAmount, parseAmount } from '@stablecoin-checkout/bff/testing/core'
import { type Product, products } from './catalog.ts'

export type CartLine = { product: Product; quantity: number }

/** More of one article than a household orders. */
const quantityMax = 20
/** Prices are in cents. */
const decimals = 2

/** Parses `beans-2.filters-1`, the form in the cookie and in the checkout's URL. Unknown articles are omitted. */
export function parseCart(text: string): CartLine[] {
  const quantities = new Map<string, number>()
  for (const item of text.split('.').slice(0, products.length)) {
    const [, id = '', count = ''] = /^([a-z]+)-(\d{1,2})$/.exec(item) ?? []
    quantities.set(id, Math.min(Number(count), quantityMax))
  }
  return products.flatMap((product) => {
    const quantity = quantities.get(product.id) ?? 0
    return quantity > 0 ? [{ product, quantity }] : []
  })
}

export const formatCart = (lines: readonly CartLine[]): string =>
  lines.map(({ product, quantity }) => `${product.id}-${quantity}`).join('.')

/** The cart with another quantity of an article; zero removes it. */
export function withQuantity(lines: readonly CartLine[], id: string, quantity: number): CartLine[] {
  const others = lines.filter(({ product }) => product.id !== id)
  return parseCart(
    [formatCart(others), `${id}-${Math.min(Math.max(quantity, 0), quantityMax)}`].filter(Boolean).join('.'),
  )
}

export const countOf = (lines: readonly CartLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

const priceOf = ({ price }: Product) => parseAmount(price, decimals)
const total = (lines: readonly CartLine[]): bigint =>
  lines.reduce((sum, { product, quantity }) => sum + priceOf(product) * BigInt(quantity), 0n)

export const linePrice = (line: CartLine): string => text(total([line]))

/** In dollars, like every price of the shop. */
export const totalPrice = (lines: readonly CartLine[]): string => text(total(lines))

/** The wrong amounts that the developer's buttons send: half of the price, rounded down to a cent, and 5.00 too much. */
export function wrongAmounts(amount: string): { half: string; tooMuch: string } {
  const cents: bigint = parseAmount(amount, decimals)
  return { half: text(cents / 2n), tooMuch: text(cents + 500n) }
}

const text = (cents: bigint) => formatAmount(cents as BaseUnits, decimals)
