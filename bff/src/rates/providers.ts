import { z } from 'zod'
import { type Fetched, type RateTable, rateTable } from './rate.ts'

/** Requests a path under the provider's base address. */
type Ask = (path: string) => Promise<Fetched>

/** Rates with their time. */
type Reading = { rates: RateTable; asOfMs: number }

type Provider = {
  /** The configuration may name another address, such as a cache in front of the provider. */
  baseUrl: string
  /** The default age at which rates are refused. */
  maxAgeSeconds: number
  /** The shortest pause between two requests to the provider; shorter only where `maxAgeSeconds` is set lower. */
  askEverySeconds: number
  /** Null: not listed by the provider. */
  currencies: ReadonlySet<string> | null
  /** @throws {Error} when a response differs from the provider's documentation. */
  read(ask: Ask): Promise<Reading>
}

export const providerNames = ['coinbase', 'kraken', 'coingecko', 'ecb'] as const
export type ProviderName = (typeof providerNames)[number]

/** Within ten minutes, currencies move by less than customers notice. */
const tenMinutes = 600

const text = z.string()

/** One response per token: its `rates` in every currency and coin, as decimal text, without a time. */
const coinbaseResponse = z.object({ data: z.object({ currency: z.string(), rates: z.record(z.string(), text) }) })

/** @see https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates */
const coinbase: Provider = {
  baseUrl: 'https://api.coinbase.com',
  currencies: null,
  maxAgeSeconds: tenMinutes,
  askEverySeconds: 300,
  async read(ask) {
    const symbols = ['USDC', 'USDT'] as const
    const responses = await Promise.all(symbols.map((symbol) => ask(`/v2/exchange-rates?currency=${symbol}`)))
    const tables = responses.map((answer, index) => {
      const { data } = coinbaseResponse.parse(JSON.parse(answer.text))
      if (data.currency !== symbols[index]) throw new Error(`It answered for ${data.currency}, not ${symbols[index]}.`)
      return [symbols[index], data.rates]
    })
    return { rates: rateTable(Object.fromEntries(tables)), asOfMs: oldest(responses) }
  },
}

/** Pairs as Kraken's response names them. An unknown pair would fail the whole request. */
const krakenPairs = {
  USDC: { USDCUSD: 'USD', USDCEUR: 'EUR', USDCGBP: 'GBP', USDCCHF: 'CHF', USDCCAD: 'CAD', USDCAUD: 'AUD' },
  USDT: { USDTZUSD: 'USD', USDTEUR: 'EUR', USDTGBP: 'GBP', USDTCHF: 'CHF', USDTCAD: 'CAD', USDTAUD: 'AUD' },
} as const

/** `b`: the best bid, its volume in whole lots, and its volume, all as decimal text. There is no time. */
const krakenResponse = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.object({ b: z.tuple([text]).rest(z.unknown()) })).optional(),
})

/**
 * Uses the best bid: the price that the merchant would get for the token now. The last trade may be hours old.
 * @see https://docs.kraken.com/api/docs/rest-api/get-ticker-information
 */
const kraken: Provider = {
  baseUrl: 'https://api.kraken.com',
  currencies: new Set(Object.values(krakenPairs.USDC)),
  maxAgeSeconds: tenMinutes,
  askEverySeconds: 300,
  async read(ask) {
    const pairs = Object.values(krakenPairs).flatMap((one) => Object.keys(one))
    const response = await ask(`/0/public/Ticker?pair=${pairs.join(',')}`)
    const { error, result = {} } = krakenResponse.parse(JSON.parse(response.text))
    if (error.length > 0) throw new Error(`The provider responded with an error: ${error.join(', ').slice(0, 200)}`)
    const ratesOf = (named: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(named).flatMap(([pair, code]) => (result[pair] ? [[code, result[pair].b[0]]] : [])),
      )
    const rates = rateTable({ USDC: ratesOf(krakenPairs.USDC), USDT: ratesOf(krakenPairs.USDT) })
    return { rates, asOfMs: oldest([response]) }
  },
}

const coingeckoCurrencies = [
  ...['usd', 'eur', 'gbp', 'chf', 'cad', 'aud', 'nzd', 'jpy', 'cny', 'hkd', 'sgd', 'krw', 'twd', 'inr', 'idr', 'myr'],
  ...['php', 'thb', 'vnd', 'pkr', 'bdt', 'lkr', 'sek', 'nok', 'dkk', 'pln', 'czk', 'huf', 'uah', 'try', 'ils', 'aed'],
  ...['sar', 'kwd', 'bhd', 'zar', 'ngn', 'brl', 'ars', 'clp', 'mxn', 'gel'],
]

/** Numbers by currency code in lower case, and a time in Unix seconds. */
const coingeckoCoin = z
  .looseObject({ last_updated_at: z.int().positive() })
  .transform(({ last_updated_at: seconds, ...rates }) => {
    const named = Object.entries(rates).map(([code, rate]) => [code.toUpperCase(), rate])
    return { asOfMs: seconds * 1000, rates: Object.fromEntries(named) as Record<string, unknown> }
  })
const coingeckoResponse = z.object({ 'usd-coin': coingeckoCoin, tether: coingeckoCoin })

/**
 * Asks for ten decimals, so that a number has no more than 15 digits.
 * @see https://docs.coingecko.com/reference/simple-price
 */
const coingecko: Provider = {
  baseUrl: 'https://api.coingecko.com/api/v3',
  currencies: new Set(coingeckoCurrencies.map((code) => code.toUpperCase())),
  maxAgeSeconds: tenMinutes,
  askEverySeconds: 300,
  async read(ask) {
    const query = `ids=usd-coin,tether&vs_currencies=${coingeckoCurrencies.join(',')}&include_last_updated_at=true&precision=10`
    const answer = await ask(`/simple/price?${query}`)
    const { 'usd-coin': usdc, tether } = coingeckoResponse.parse(JSON.parse(answer.text))
    const rates = rateTable({ USDC: usdc.rates, USDT: tether.rates })
    return { rates, asOfMs: Math.min(usdc.asOfMs, tether.asOfMs) }
  },
}

/** As of 2026. */
const ecbCurrencies = [
  ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JPY'],
  ...['KRW', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TRY', 'USD', 'ZAR'],
]

/** Reference rates are of 14:15 in Frankfurt and appear at 16:00. This is 14:15 there in winter, and 15:15 in summer. */
const ecbTime = 'T13:15:00Z'

/**
 * Units of a currency for one euro, once on each working day. A stablecoin counts as one dollar.
 * @see https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html
 */
const ecb: Provider = {
  baseUrl: 'https://www.ecb.europa.eu',
  currencies: new Set(ecbCurrencies),
  // No rates are published from the Thursday before Easter to the Tuesday after it.
  maxAgeSeconds: 6 * 24 * 60 * 60,
  askEverySeconds: 3_600,
  async read(ask) {
    const { text: xml } = await ask('/stats/eurofxref/eurofxref-daily.xml')
    const date = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(xml)?.[1]
    const perEuro = [...xml.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([\d.]{1,20})['"]/g)]
    const dollars = perEuro.find(([, code]) => code === 'USD')?.[2]
    if (date === undefined || dollars === undefined)
      throw new Error('The response has no date or no rate of the dollar.')
    const rates = Object.fromEntries(perEuro.map(([, code, rate]) => [code, quotient(rate ?? '', dollars)]))
    const table = { ...rates, USD: '1', EUR: quotient('1', dollars) }
    return { rates: rateTable({ USDC: table, USDT: table }), asOfMs: Date.parse(`${date}${ecbTime}`) }
  },
}

export const providers: Readonly<Record<ProviderName, Provider>> = { coinbase, kraken, coingecko, ecb }

/** The earliest time at which the provider sent one of the responses, where they contain no time themselves. */
function oldest(answers: readonly Fetched[]): number {
  return Math.min(
    ...answers.map(({ sentAtMs }) => {
      if (sentAtMs === null) throw new Error('The response has no time.')
      return sentAtMs
    }),
  )
}

const quotientDecimals = 18

/** The quotient, cut after 18 decimals. @throws {Error} when the divisor is zero, or a number is not decimal. */
function quotient(dividend: string, divisor: string): string {
  const scaled = (decimal: string) => {
    const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(decimal) ?? []
    if (whole === '') throw new Error(`${JSON.stringify(decimal)} is not a decimal number.`)
    return BigInt(whole + fraction.padEnd(quotientDecimals, '0'))
  }
  const below = scaled(divisor)
  if (below === 0n) throw new Error('The response has a rate of zero.')
  const digits = String((scaled(dividend) * 10n ** BigInt(quotientDecimals)) / below).padStart(
    quotientDecimals + 1,
    '0',
  )
  return `${digits.slice(0, -quotientDecimals)}.${digits.slice(-quotientDecimals)}`
}
