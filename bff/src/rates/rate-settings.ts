import { z } from 'zod'
import { providerNames, providers } from './providers.ts'
import { isCurrency, parseRate } from './rate.ts'
import type { RatesSource } from './rates.ts'

/** Of an address that answers our own shape: currencies move by less than customers notice within ten minutes. */
const maxAgeSecondsDefault = 600

/** One coin in the weakest currency is far below it: what is above is a mistake. */
const rateMax = 1e9

const fixedRates = z.record(
  z.string().refine(isCurrency, 'must be a code of ISO 4217, such as USD'),
  z.number().positive().max(rateMax).transform(parseRate),
)

const fixed = z.strictObject({
  asOf: z.iso.datetime({ offset: true, error: 'must be the date and time of the rates' }),
  USDC: fixedRates.optional(),
  USDT: fixedRates.optional(),
})

/** The `rates` of the configuration: a table of the operator's own, a provider by its name, or an address. */
export const ratesSetting = z
  .strictObject({
    fixed: fixed.optional(),
    provider: z.enum(providerNames, `must be one of ${providerNames.join(', ')}`).optional(),
    /** Of what answers our own shape; with `provider` in place of the provider's own address. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    maxAgeSeconds: z.int().min(10).optional(),
  })
  .refine(
    ({ fixed, provider, url }) => (fixed === undefined) !== (provider === undefined && url === undefined),
    'must have one of fixed, provider and url',
  )
  .optional()

/**
 * Without a setting a stablecoin is a dollar and no other currency is known: a service asks nobody whom its operator did not
 * name, and no merchant gets a price converted by a stranger's rate without having chosen so.
 */
export function resolveRates(setting: z.infer<typeof ratesSetting>): RatesSource {
  if (setting?.fixed !== undefined) {
    const { asOf, USDC, USDT } = setting.fixed
    const rates = { ...(USDC && { USDC }), ...(USDT && { USDT }) }
    return { kind: 'fixed', rates, asOfMs: Date.parse(asOf), maxAgeSeconds: setting.maxAgeSeconds ?? null }
  }
  if (setting?.provider !== undefined) {
    const { provider, url = providers[provider].baseUrl } = setting
    const maxAgeSeconds = setting.maxAgeSeconds ?? providers[provider].maxAgeSeconds
    return { kind: 'http', provider, url, maxAgeSeconds }
  }
  if (setting?.url === undefined) return { kind: 'parity' }
  const maxAgeSeconds = setting.maxAgeSeconds ?? maxAgeSecondsDefault
  return { kind: 'http', provider: null, url: setting.url, maxAgeSeconds }
}
