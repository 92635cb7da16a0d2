import { z } from 'zod'
import { isCurrency } from '../core/currency-codes.ts'
import { isSafeUrl } from '../core/safe-url.ts'
import { providerNames, providers } from './providers.ts'
import { parseRate } from './rate.ts'
import type { RatesSource } from './read-rates.ts'

/** The default maximum age for the service's own format: within ten minutes, currencies move by less than customers notice. */
const maxAgeSecondsDefault = 600

/** A token in the weakest currency is far below this, so a larger rate is a mistake. */
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

/** The configuration's `rates`: the operator's own table, a provider by name, or an address. */
export const ratesSetting = z
  .strictObject({
    fixed: fixed.optional().describe('your own table'),
    provider: z
      .enum(providerNames, `must be one of ${providerNames.join(', ')}`)
      .optional()
      .describe('whose rates are asked'),
    url: z
      .url({ protocol: /^https?$/ })
      .refine(isSafeUrl, 'must be https, unless it is on this machine: rates decide what customers pay')
      .optional()
      .describe('an endpoint with rates, https except on this machine; beside `provider`, its cache'),
    maxAgeSeconds: z.int().min(10).optional().meta({
      description: 'older rates are refused',
      otherwise: '600; `ecb` six days; `fixed` unlimited',
    }),
  })
  .refine(
    ({ fixed, provider, url }) => (fixed === undefined) !== (provider === undefined && url === undefined),
    'must have one of fixed, provider and url',
  )
  .optional()
  .meta({
    description: '[exchange rates](configuration.md#exchange-rates)',
    otherwise: 'a token is one unit of its [currency](tokens.md)',
  })

/**
 * Without the setting, a token is one unit of its currency and other currencies are refused: the service contacts a provider
 * only if the operator names it.
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
