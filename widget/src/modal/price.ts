import { request } from '../api/client.ts'

/** Decimal text or a number as JSON wrote it, exactly: `units` / 10^`decimals`. */
function exact(text: string): { units: bigint; decimals: number } {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const decimals = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return decimals < 0 ? { units: digits * 10n ** BigInt(-decimals), decimals: 0 } : { units: digits, decimals }
}

/**
 * What a price comes to in tokens, in whole cents of the token and rounded up: the shop never gets less than its price at
 * this rate, and a customer pays at most a cent more.
 * @param price - Decimal text above zero.
 * @param rate - Units of the price's currency for one whole token.
 */
export function amountFor(price: string, rate: number): string {
  const [wanted, each] = [exact(price), exact(String(rate))]
  const numerator = wanted.units * 10n ** BigInt(each.decimals + 2)
  const denominator = each.units * 10n ** BigInt(wanted.decimals)
  const cents = String((numerator + denominator - 1n) / denominator).padStart(3, '0')
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`
}

/** Why there is no rate. `isPermanent`: the shop's tag asks for what the service does not have. */
export type NoRate = { code: string; message: string; isPermanent: boolean }

/** Asks the service, which never gives a rate that is too old. @returns units of `priceCurrency` for one token. */
export async function readRate(
  apiBase: string,
  currency: string,
  priceCurrency: string,
  signal: AbortSignal,
): Promise<number | NoRate> {
  const reply = await request<{ rates: unknown }>(apiBase, 'currency/rates', { signal, cache: 'no-cache' })
  if ('fault' in reply) return { code: reply.fault.code, message: reply.fault.message, isPermanent: false }
  const rates = reply.body.rates as Record<string, Record<string, unknown>> | undefined
  const rate = rates?.[currency.toUpperCase()]?.[priceCurrency]
  if (typeof rate === 'number' && rate > 0 && Number.isFinite(rate)) return rate
  const message =
    `The service has no rate of ${currency} in ${priceCurrency}. Name a provider in its configuration, such as ` +
    '"rates": { "provider": "coinbase" }.'
  return { code: 'NO_RATE', message, isPermanent: rates !== undefined }
}
