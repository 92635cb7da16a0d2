import { z } from 'zod'
import { currencyRates, tableOf } from './fetch.ts'
import type { RatesSource } from './rates.ts'

/** Currencies move by less than customers notice within ten minutes. */
const maxAgeSecondsDefault = 600

const fixed = z.strictObject({
  asOf: z.iso.datetime({ offset: true, error: 'must be the date and time of the rates' }),
  USDC: currencyRates.optional(),
  USDT: currencyRates.optional(),
})

/** The `rates` of the configuration: a table of the operator's own, or a provider. */
export const ratesSetting = z
  .strictObject({
    fixed: fixed.optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    maxAgeSeconds: z.int().min(10).optional(),
  })
  .refine(({ fixed, url }) => (fixed === undefined) !== (url === undefined), 'must have either fixed or url')
  .optional()

/** Without a setting a stablecoin is a dollar, and no other currency is known. */
export function resolveRates(setting: z.infer<typeof ratesSetting>): RatesSource {
  if (setting?.url !== undefined) {
    return { kind: 'http', url: setting.url, maxAgeSeconds: setting.maxAgeSeconds ?? maxAgeSecondsDefault }
  }
  if (setting?.fixed === undefined) return { kind: 'parity' }
  const { asOf, ...table } = setting.fixed
  return {
    kind: 'fixed',
    rates: tableOf(table),
    asOfMs: Date.parse(asOf),
    maxAgeSeconds: setting.maxAgeSeconds ?? null,
  }
}
