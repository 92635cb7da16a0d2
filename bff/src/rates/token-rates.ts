import { limitCurrency, listedSymbols, type Token } from '../core/families.ts'
import { dividedRate, type Rate, type Rates, type RateTable } from './rate.ts'

/** The fields of a token that its rates depend on. */
export type RatedToken = Pick<Token, 'symbol' | 'currency'>

/**
 * The rates of a token that no provider lists: exactly one unit of its own currency; in every other currency, what a listed dollar
 * token gives for that unit. If the source has no rate for the token's currency, only that currency is in the table.
 */
function tableOf({ currency }: RatedToken, listed: RateTable): Record<string, Rate> {
  const base = listed['USDC'] ?? listed['USDT']
  const dollars: Record<string, Rate> = { [limitCurrency]: '1', ...base }
  const perUnit = dollars[currency]
  const table: Record<string, Rate> = {}
  if (base !== undefined && perUnit !== undefined) {
    for (const [code, rate] of Object.entries(dollars)) {
      const found = rateOrNone(rate, perUnit)
      if (found !== undefined) table[code] = found
    }
  }
  table[currency] = '1'
  return table
}

/** Undefined for an implausible quotient, so that one currency does not cost the token all others. */
function rateOrNone(rate: Rate, perUnit: Rate): Rate | undefined {
  try {
    return dividedRate(rate, perUnit)
  } catch {
    return undefined
  }
}

/** Adds the tokens that the source does not list to its rates. */
export function withTokenRates(readListed: () => Promise<Rates>, tokens: readonly RatedToken[]): () => Promise<Rates> {
  let last: { listed: RateTable; rates: RateTable } | undefined
  return async () => {
    const read = await readListed()
    if (last?.listed !== read.rates) {
      const others = tokens.filter(({ symbol }) => read.rates[symbol] === undefined && !isListed(symbol))
      const tables = others.map((token) => [token.symbol, tableOf(token, read.rates)])
      last = { listed: read.rates, rates: { ...read.rates, ...Object.fromEntries(tables) } }
    }
    return { ...read, rates: last.rates }
  }
}

/** Whether providers list the token. A listed token has the provider's rate or none. */
export const isListed = (symbol: string): boolean => (listedSymbols as readonly string[]).includes(symbol)

/** Whether a price in the currency needs no rate, because one token is one unit of it by definition. */
export const isUnitOf = ({ symbol, currency }: RatedToken, priceCurrency: string): boolean =>
  currency === priceCurrency && !isListed(symbol)
