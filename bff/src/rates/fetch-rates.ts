import { z } from 'zod'
import { readBounded } from '../core/read-bounded.ts'
import { withTimeout } from '../core/with-timeout.ts'
import { type ProviderName, providers } from './providers.ts'
import { type Fetched, type Rates, rateTable } from './rate.ts'

/** The time limit for headers and bodies of all responses that one reading needs. */
const timeoutMsDefault = 5_000

/** Two tokens in all of the world's currencies need a tenth of this; Coinbase adds six hundred coins. */
const bodyMaxBytes = 64 * 1024

/** The year 5138: a larger number is in milliseconds, or not a time. */
const timestampMaxSeconds = 1e11

/** The provider to ask. `provider` null: an address that responds in this service's own format. */
export type RatesEndpoint = { provider: ProviderName | null; url: string }

const ownRates = z.record(z.string().regex(/^[A-Z]{3}$/, 'must be a code of three capitals, such as USD'), z.number())

/** The service's own format of rates. The time may also be in Unix seconds. */
const ownResponse = z.object({
  rates: z.object({ USDC: ownRates.optional(), USDT: ownRates.optional() }),
  timestamp: z.union([
    z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    z
      .number()
      .positive()
      .max(timestampMaxSeconds)
      .transform((seconds) => seconds * 1000),
  ]),
})

/**
 * Asks a provider once. The response must contain a time, without which stale rates could not be recognised.
 * @throws {Error} unless it responds in time with 200, at most 64 kB, and rates with their time.
 */
export async function fetchRates({ provider, url }: RatesEndpoint, timeoutMs = timeoutMsDefault): Promise<Rates> {
  return await withTimeout(timeoutMs, [], async (signal) => {
    if (provider !== null) {
      const base = url.replace(/\/+$/, '')
      return { ...(await providers[provider].read((path) => fetchText(`${base}${path}`, signal))), provider }
    }
    const { rates, timestamp } = ownResponse.parse(JSON.parse((await fetchText(url, signal)).text))
    const { USDC, USDT } = rates
    return {
      rates: rateTable({ ...(USDC && { USDC }), ...(USDT && { USDT }) }),
      asOfMs: timestamp,
      provider: new URL(url).host,
    }
  })
}

async function fetchText(url: string, signal: AbortSignal): Promise<Fetched> {
  const response = await fetch(url, { redirect: 'error', signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The provider responded with status ${response.status}.`)
  }
  const sentAtMs = Date.parse(response.headers.get('date') ?? '')
  const ageSeconds = Number(response.headers.get('age') ?? 0)
  return {
    text: await readBounded(response, bodyMaxBytes),
    sentAtMs: Number.isNaN(sentAtMs) || !(ageSeconds >= 0) ? null : sentAtMs - ageSeconds * 1000,
  }
}
