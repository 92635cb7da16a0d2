import { isCurrency } from '../core/currency-codes.ts'
import type { ListedSymbol } from '../core/families.ts'
import { exact } from '../core/money.ts'

/**
 * Units of a currency for one whole stablecoin, as decimal text above zero with at most 15 significant digits. So many digits
 * survive as a JSON number, which `/currency/rates` returns; nothing is computed with floats.
 */
export type Rate = string

/** By token symbol and ISO 4217 code. */
export type RateTable = Record<string, Record<string, Rate>>

/** `asOfMs` is the time of the rate, not of the request. */
export type Rates = { rates: RateTable; asOfMs: number; provider: string }

/** The body of a response, and when it was sent: its `Date` less its `Age`; null when the headers do not say. */
export type Fetched = { text: string; sentAtMs: number | null }

const significantDigitsMax = 15

/** A token in the weakest currency is far below this, so a larger rate is a mistake. */
const wholeDigitsMax = 9

/**
 * Truncates after 15 digits: the difference is below any payable amount, in the merchant's favor.
 * @param value - Decimal text, or a JSON number, whose text JavaScript preserves up to 15 digits.
 * @throws {Error} when it is not a decimal number above zero, or implausibly high.
 */
export function parseRate(value: unknown): Rate {
  const text = typeof value === 'number' ? String(value) : value
  const match = typeof text === 'string' ? /^0*(\d+)(?:\.(\d{1,40}))?$/.exec(text) : null
  if (!match) throw new Error(`${JSON.stringify(value)} is not a decimal number.`)
  const [, whole = '', fraction = ''] = match
  if (whole.length > wholeDigitsMax) throw new Error(`${text} is implausibly high.`)
  const leading = whole === '0' ? -(/^0*/.exec(fraction)?.[0].length ?? 0) : whole.length
  const kept = fraction.slice(0, significantDigitsMax - leading).replace(/0+$/, '')
  if (whole === '0' && kept === '') throw new Error(`${text} is not above zero.`)
  return kept === '' ? whole : `${whole}.${kept}`
}

/**
 * The quotient of two rates.
 * @throws {Error} when it is zero or implausibly high.
 */
export function dividedRate(dividend: Rate, divisor: Rate): Rate {
  const [above, below] = [exact(dividend), exact(divisor)]
  const scale = BigInt(quotientDecimals + below.decimals)
  const units = (above.units * 10n ** scale) / (below.units * 10n ** BigInt(above.decimals))
  const digits = String(units).padStart(quotientDecimals + 1, '0')
  return parseRate(`${digits.slice(0, -quotientDecimals)}.${digits.slice(-quotientDecimals)}`)
}

/** Enough for 15 significant digits of the smallest possible quotient. */
const quotientDecimals = 40

/** A stablecoin further from the dollar is a provider's mistake, or must not be accepted at that rate. */
const dollarsLeast = 0.8
const dollarsMost = 1.25

/**
 * A provider's table, without entries that are not currencies.
 * @throws {Error} when a rate is invalid, when there are no rates, or when a stablecoin is far from a dollar.
 */
export function rateTable(given: { [Symbol in ListedSymbol]?: Record<string, unknown> }): RateTable {
  const table: RateTable = {}
  for (const [symbol, rates] of Object.entries(given)) {
    const known = Object.entries(rates).filter(([currency]) => isCurrency(currency))
    if (known.length === 0) continue
    const parsed = Object.fromEntries(known.map(([currency, rate]) => [currency, parseRate(rate)]))
    // The value is only compared, so a float is exact enough.
    const dollars = Number(parsed['USD'] ?? '1')
    if (dollars < dollarsLeast || dollars > dollarsMost)
      throw new Error(`${symbol} at ${parsed['USD']} USD is implausible for a stablecoin.`)
    table[symbol] = parsed
  }
  if (Object.keys(table).length === 0) throw new Error('The response contains no rate.')
  return table
}
