import { z } from 'zod'
import { withTimeout } from '../with-timeout.ts'
import type { Rates } from './rates.ts'

/** Headers and body together. */
const timeoutMsDefault = 5_000

/** Two tokens in all currencies of the world are a tenth of it. */
const bodyMaxBytes = 64 * 1024

/** Year 5138: what is above is milliseconds, or no time. */
const timestampMaxSeconds = 1e11

/** One coin in the weakest currency is far below it: what is above is a mistake. */
const rateMax = 1e9

export const currencyRates = z.record(
  z.string().regex(/^[A-Z]{3}$/, 'must be a code of three capitals, such as USD'),
  z.number().positive().max(rateMax),
)

export const rateTable = z.object({ USDC: currencyRates.optional(), USDT: currencyRates.optional() })

/** What a provider must answer: our own shape. Unix seconds are taken for the time as well. */
const answerSchema = z.object({
  rates: rateTable.refine(({ USDC, USDT }) => USDC !== undefined || USDT !== undefined, 'has no rates'),
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
export async function fetchRates(url: string, timeoutMs = timeoutMsDefault): Promise<Rates> {
  const text = await withTimeout(timeoutMs, [], async (signal) => {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal })
    if (answer.status === 200) return await readBounded(answer)
    await answer.body?.cancel()
    throw new Error(`It answered with status ${answer.status}.`)
  })
  const { rates, timestamp } = answerSchema.parse(JSON.parse(text))
  return { rates: tableOf(rates), asOfMs: timestamp, provider: new URL(url).host }
}

/** Without the tokens that have none. */
export function tableOf({ USDC, USDT }: z.infer<typeof rateTable>): Rates['rates'] {
  return { ...(USDC && { USDC }), ...(USDT && { USDT }) }
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
