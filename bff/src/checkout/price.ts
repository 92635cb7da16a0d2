import { PaymentError, ValidationError } from '../core/errors.ts'
import { numberText, wholeTokensMax } from '../core/money.ts'
import type { Price } from '../payment/payment.ts'
import { isCurrency } from '../rates/rate.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import { centDecimals, tokensFor } from '../rates/tokens-for.ts'

/** The money of a create: an amount of tokens, or a price to convert. */
export type MoneyAsked = {
  amount?: string | number | undefined
  price?: string | number | undefined
  priceCurrency?: string | undefined
}

/** A requested price: decimal text in canonical form, and an ISO 4217 code. */
export type AskedPrice = Pick<Price, 'amount' | 'currency'>

/** The tokens to be paid; `converted` is null if the create named the amount itself. */
export type PricedMoney = { amount: string | number; converted: Price | null }

/** No ISO 4217 currency has a unit smaller than a ten-thousandth. */
const priceDecimalsMax = 4

/**
 * @returns the price; null for an amount in tokens.
 * @throws {ValidationError} when both or neither are given, or the price breaks a rule.
 */
export function askedPriceOf({ amount, price, priceCurrency }: MoneyAsked): AskedPrice | null {
  if (price === undefined && priceCurrency === undefined) {
    if (amount !== undefined) return null
    throw new ValidationError('amount is required: a decimal number or decimal text; or price with priceCurrency')
  }
  if (amount !== undefined) {
    const given = price === undefined ? 'priceCurrency' : 'price'
    throw new ValidationError(
      `amount and ${given} must not be sent together: amount is in tokens, price in priceCurrency`,
    )
  }
  if (price === undefined) throw new ValidationError('price is required with priceCurrency: a decimal number or text')
  if (priceCurrency === undefined) {
    throw new ValidationError('priceCurrency is required with price: an ISO 4217 code such as EUR')
  }
  const currency = priceCurrency.toUpperCase()
  if (!isCurrency(currency)) {
    throw new ValidationError(`priceCurrency must be an ISO 4217 code such as EUR, not "${priceCurrency.slice(0, 60)}"`)
  }
  return { amount: parsePrice(price, currency), currency }
}

/** @returns the same number with at least the currency's decimals, such as 25.00 EUR and 2500 JPY. */
function parsePrice(input: string | number, currency: string): string {
  const text = typeof input === 'number' ? numberText(input) : input
  const match = /^0*(\d{1,15})(?:\.(\d{1,40}))?$/.exec(text)
  if (!match)
    throw new ValidationError(`price must be a plain decimal number such as 25.00, not "${text.slice(0, 60)}"`)
  const [, whole = '', zeros = ''] = match
  const fraction = zeros.replace(/0+$/, '')
  if (fraction.length > priceDecimalsMax) {
    throw new ValidationError(`price must have at most ${priceDecimalsMax} decimals, not "${text.slice(0, 60)}"`)
  }
  if (whole === '0' && fraction === '') throw new ValidationError('price must be more than zero')
  const usual = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  const shown = fraction.padEnd(usual ?? 0, '0')
  return shown === '' ? whole : `${whole}.${shown}`
}

/** Converts prices at the current rate, which is stored with the payment. */
export function createPriceConversion(readRates: ReadRates) {
  /**
   * @param symbol - The symbol of the token to be paid.
   * @throws {PaymentError} NO_RATE: 400 for a currency without a rate, 503 while every known rate is too old.
   */
  return async function convert(asked: AskedPrice, symbol: string): Promise<PricedMoney> {
    const { rates, asOfMs } = await readRates().catch((error: unknown) => {
      if (!(error instanceof PaymentError)) throw error
      const { message, retryAfterSeconds } = error
      throw new PaymentError('NO_RATE', `price cannot be converted now. ${message}`, { status: 503, retryAfterSeconds })
    })
    const rate = rates[symbol]?.[asked.currency]
    if (rate === undefined) {
      const known = Object.keys(rates[symbol] ?? {})
      const names = known.length === 0 ? 'none' : known.slice(0, 20).join(', ')
      const message = `There is no rate of ${symbol} in ${asked.currency} (priceCurrency); known: ${names}.`
      throw new PaymentError('NO_RATE', message)
    }
    const amount = tokensFor(asked.amount, rate)
    if (BigInt(amount.replace('.', '')) > wholeTokensMax * 10n ** BigInt(centDecimals)) {
      throw new ValidationError(`price must come to at most ${wholeTokensMax} ${symbol}, not ${amount}`)
    }
    return { amount, converted: { ...asked, rate, rateAtMs: asOfMs } }
  }
}

/**
 * What a price comes to now, before a token is chosen. Null where no rate is current: a create refuses it, and says
 * why.
 */
export function createQuotes(readRates: ReadRates) {
  const convert = createPriceConversion(readRates)

  return async function quote(
    asked: AskedPrice,
    symbols: Iterable<string>,
  ): Promise<ReadonlyMap<string, string | null>> {
    const quotes = new Map<string, string | null>()
    for (const symbol of new Set(symbols)) {
      const money = await convert(asked, symbol).catch((error: unknown) => {
        if (error instanceof PaymentError) return null
        throw error
      })
      quotes.set(symbol, money && String(money.amount))
    }
    return quotes
  }
}

/** @param amountOf - Whole tokens, by the symbol of a token. */
export const withAmounts = <Token extends { symbol: string }>(
  tokens: readonly Token[],
  amountOf: (symbol: string) => string | null,
) => tokens.map((token) => ({ ...token, amount: amountOf(token.symbol) }))
