import { z } from 'zod'
import { withTimeout } from '../core/with-timeout.ts'
import { type ProviderName, providers } from './providers.ts'
import { type Fetched, type Rates, rateTable } from './rate.ts'

/** Headers and body together, of all answers that one reading takes. */
const timeoutMsDefault = 5_000

/** Two tokens in all currencies of the world are a tenth of it; Coinbase adds six hundred coins. */
const bodyMaxBytes = 64 * 1024

/** Year 5138: what is above is milliseconds, or no time. */
const timestampMaxSeconds = 1e11

/** Who is asked. `provider` null: an address that answers our own shape. */
export type RatesEndpoint = { provider: ProviderName | null; url: string }

const ownRates = z.record(z.string().regex(/^[A-Z]{3}$/, 'must be a code of three capitals, such as USD'), z.number())

/** Our own shape. Unix seconds are taken for the time as well. */
const ownAnswer = z.object({
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
 * Asks a provider once. A time is demanded of it: without one, nobody could tell whether the rate is stale.
 * @throws {Error} when it does not answer 200 with rates and their time, in time and within 64 kB.
 */
export async function fetchRates({ provider, url }: RatesEndpoint, timeoutMs = timeoutMsDefault): Promise<Rates> {
  return await withTimeout(timeoutMs, [], async (signal) => {
    if (provider !== null) {
      const base = url.replace(/\/+$/, '')
      return { ...(await providers[provider].read((path) => fetchText(`${base}${path}`, signal))), provider }
    }
    const { rates, timestamp } = ownAnswer.parse(JSON.parse((await fetchText(url, signal)).text))
    const { USDC, USDT } = rates
    return {
      rates: rateTable({ ...(USDC && { USDC }), ...(USDT && { USDT }) }),
      asOfMs: timestamp,
      provider: new URL(url).host,
    }
  })
}

async function fetchText(url: string, signal: AbortSignal): Promise<Fetched> {
  const answer = await fetch(url, { redirect: 'error', signal })
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Error(`It answered with status ${answer.status}.`)
  }
  const sentAtMs = Date.parse(answer.headers.get('date') ?? '')
  const ageSeconds = Number(answer.headers.get('age') ?? 0)
  return {
    text: await readBounded(answer),
    sentAtMs: Number.isNaN(sentAtMs) || !(ageSeconds >= 0) ? null : sentAtMs - ageSeconds * 1000,
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > bodyMaxBytes) throw new Error(`It answered with more than ${bodyMaxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
