import { isCurrency } from '../core/currency-codes.ts'
import { PaymentError, ValidationError } from '../core/errors.ts'
import { findNetwork, limitCurrency, type Networks } from '../core/families.ts'
import { numberText, wholeTokensMax } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import { supportedToken } from '../network/supported-token.ts'
import type { Price } from '../payment/payment.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import { isUnitOf, type RatedToken } from '../rates/token-rates.ts'
import { centDecimals, tokensFor } from '../rates/tokens-for.ts'

/** The money of a create: an amount of tokens, or a price to convert. */
export type MoneyAsked = {
  amount?: string | number | undefined
  price?: string | number | undefined
  priceCurrency?: string | undefined
}

/** A requested price: decimal text in canonical form, and an ISO 4217 code. */
export type AskedPrice = Pick<Price, 'amount' | 'currency'>

/**
 * The amount to be paid, in tokens; `converted` is null if the create named that amount. `dollarRate`: dollars for one whole token now;
 * null: no rate.
 */
export type PricedMoney = { amount: string | number; converted: Price | null; dollarRate: string | null }

/** Whole tokens, and the price that they were converted from. */
type ConvertedPrice = { amount: string; converted: Price }

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

type ConversionDeps = { readRates: ReadRates; runtime: Runtime }

/** Converts prices at the current rate, which is stored with the payment. */
export function createPriceConversion({ readRates, runtime }: ConversionDeps) {
  /**
   * A token that no provider lists counts as one unit of its currency: a price in that currency needs no rate.
   * @param token - The token to be paid.
   * @throws {PaymentError} NO_RATE: 400 for a currency without a rate, 503 while every known rate is too old.
   */
  return async function convert(asked: AskedPrice, token: RatedToken): Promise<ConvertedPrice> {
    const { symbol } = token
    if (isUnitOf(token, asked.currency)) {
      const amount = verified(tokensFor(asked.amount, '1'), symbol)
      return { amount, converted: { ...asked, rate: '1', rateAtMs: runtime.nowMs() } }
    }
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
    const amount = verified(tokensFor(asked.amount, rate), symbol)
    return { amount, converted: { ...asked, rate, rateAtMs: asOfMs } }
  }
}

/** @throws {ValidationError} when the amount exceeds the maximum of a payment. */
function verified(amount: string, symbol: string): string {
  if (BigInt(amount.replace('.', '')) <= wholeTokensMax * 10n ** BigInt(centDecimals)) return amount
  throw new ValidationError(`price must come to at most ${wholeTokensMax} ${symbol}, not ${amount}`)
}

/** Dollars for one whole token now, for limits that are in dollars. Null: there is no rate. A token of the dollar always counts as 1. */
function createDollarRates(readRates: ReadRates) {
  return async function dollarRate({ symbol, currency }: RatedToken): Promise<string | null> {
    if (currency === limitCurrency) return '1'
    const read = await readRates().catch((error: unknown) => {
      if (error instanceof PaymentError) return null
      throw error
    })
    return read?.rates[symbol]?.[limitCurrency] ?? null
  }
}

/** Determines what a create asks for, before its payment is drafted. */
export function createPricing({ networks, ...deps }: ConversionDeps & { networks: Networks }) {
  const convert = createPriceConversion(deps)
  const dollarRateOf = createDollarRates(deps.readRates)

  /**
   * Determines the amount to be paid: the request's amount, or its price at the current rate.
   * @throws {PaymentError} NO_RATE.
   * @throws {ValidationError} naming the field and the rule.
   */
  return async function price<Body extends MoneyAsked & { network: string; currency: string }>(
    body: Body,
  ): Promise<Body & PricedMoney> {
    const asked = askedPriceOf(body)
    if (asked === null) {
      const { network, currency } = body
      // An unknown token is refused with the draft, which checks other fields first.
      const token = findNetwork(networks, network)?.tokens.find(({ symbol }) => symbol === currency.toUpperCase())
      const dollarRate = token ? await dollarRateOf(token) : null
      return { ...body, amount: body.amount ?? '', converted: null, dollarRate }
    }
    const { token } = supportedToken(networks, body.network, body.currency)
    return { ...body, ...(await convert(asked, token)), dollarRate: await dollarRateOf(token) }
  }
}

/**
 * The price in each token now, before the customer chooses one. Null while the token's rate is outdated: a create then refuses with the
 * reason. A token without a rate in the currency is left out if another token has one.
 */
export function createQuotes(deps: ConversionDeps) {
  const convert = createPriceConversion(deps)

  return async function quote(
    asked: AskedPrice,
    tokens: readonly RatedToken[],
  ): Promise<ReadonlyMap<string, string | null>> {
    const quotes = new Map<string, string | null>()
    const unrated: string[] = []
    for (const token of tokens) {
      if (quotes.has(token.symbol)) continue
      const money = await convert(asked, token).catch((error: unknown) => {
        if (!(error instanceof PaymentError)) throw error
        if (error.status !== 503) unrated.push(token.symbol)
        return null
      })
      quotes.set(token.symbol, money?.amount ?? null)
    }
    if (unrated.length < quotes.size) for (const symbol of unrated) quotes.delete(symbol)
    return quotes
  }
}

/** The tokens that are quoted, with their quotes. */
export const withQuotes = <Token extends { symbol: string }>(
  tokens: readonly Token[],
  quotes: ReadonlyMap<string, string | null>,
) =>
  tokens
    .filter(({ symbol }) => quotes.has(symbol))
    .map((token) => ({ ...token, amount: quotes.get(token.symbol) ?? null }))
