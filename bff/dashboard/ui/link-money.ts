import type { PaymentLink } from '../../src/api-types.ts'
import { formatMoney, withCents } from './format.ts'

/** A token that the shop can be paid in. */
export type LinkToken = { symbol: string; currency: string; Network: { shortName: string; name: string } }

/** The symbols of the dollar tokens, which can pay an amount without a token, each once, separated by slashes. */
export const symbolsOf = (tokens: readonly LinkToken[]): string =>
  [...new Set(tokens.filter(({ currency }) => currency === 'USD').map(({ symbol }) => symbol))].join(' / ')

type Money = Pick<PaymentLink, 'amount' | 'price' | 'priceCurrency' | 'currency'>

/** The link's price: an amount of one token, of any of the tokens, or of a currency. */
export function linkMoney(link: Money, tokens: readonly LinkToken[]): string {
  const { amount, price, priceCurrency, currency } = link
  if (price !== null) return formatMoney(withCents(price), priceCurrency ?? '')
  return formatMoney(withCents(amount ?? ''), currency ?? symbolsOf(tokens))
}
