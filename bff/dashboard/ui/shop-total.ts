import { knownCurrencies as tokenCurrencies } from '@stablecoin-checkout/bff/known-currencies'

/** Sums of one token on one network, in base units. */
export type TokenSum = { network: string; currency: string; decimals: number; received: string }

/** Units of each currency for one whole token, by the token's symbol, from `GET /currency/rates`. */
export type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Rates are numbers with at most so many decimals. */
const rateDecimals = 12

/** Decimals of the total: no currency in daily use by shops has more. */
const totalDecimals = 2

/** The currencies that every one of the tokens has a rate for, sorted. */
export function commonCurrencies(tokens: readonly string[], rates: Rates): string[] {
  const [first, ...others] = [...new Set(tokens)].map((token) => Object.keys(rates[token] ?? {}))
  return (first ?? []).filter((currency) => others.every((known) => known.includes(currency))).sort()
}

/** Whether sums of the tokens may be added without rates. An unknown token counts as a currency of its own. */
export function areAddable(tokens: readonly string[]): boolean {
  return new Set(tokens.map((token) => tokenCurrencies[token] ?? token)).size <= 1
}

/** The currencies that at least one of the tokens has a rate for, sorted. */
export function knownCurrencies(tokens: readonly string[], rates: Rates): string[] {
  return [...new Set(tokens.flatMap((token) => Object.keys(rates[token] ?? {})))].sort()
}

/**
 * The sums in one currency, as decimal text with two decimals, rounded down once at the end.
 * @returns null if a token has no rate, because a total without it would be wrong.
 */
export function totalIn(currency: string, sums: readonly TokenSum[], rates: Rates): string | null {
  let total = 0n
  const scale = 36
  for (const { currency: token, decimals, received } of sums) {
    const rate = rates[token]?.[currency]
    if (rate === undefined) return null
    const rateUnits = BigInt(rate.toFixed(rateDecimals).replace('.', ''))
    total += BigInt(received) * rateUnits * 10n ** BigInt(scale - decimals - rateDecimals)
  }
  const cents = String(total / 10n ** BigInt(scale - totalDecimals)).padStart(totalDecimals + 1, '0')
  return `${cents.slice(0, -totalDecimals)}.${cents.slice(-totalDecimals)}`
}

/** The relative change from one total to another: 0.5 is half more. @returns null if the earlier total is zero. */
export function changeOf(now: string, before: string): number | null {
  const earlier = Number(before)
  return earlier > 0 ? (Number(now) - earlier) / earlier : null
}
