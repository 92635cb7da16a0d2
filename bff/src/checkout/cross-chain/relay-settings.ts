import { z } from 'zod'
import { isSafeUrl } from '../../core/safe-url.ts'

/** Mainnets; `https://api.testnets.relay.link` has the testnets. */
const baseUrlDefault = 'https://api.relay.link'

const symbol = z.string().regex(/^[A-Za-z0-9.]{1,20}$/, 'must be a token symbol such as USDC')

/**
 * A tenth of the amount. A relay takes gas on both chains and some basis points, which small amounts feel most: on 1.00, the
 * least that is asked of a bridge, 0.05 to 0.10 is usual. Above a tenth it is a mistake, or the relay is not to be trusted.
 */
const maxFeeBpsDefault = 1_000

/** The `relay` of the configuration; without it no cross-chain payment can be made. */
export const relaySetting = z
  .strictObject({
    baseUrl: z
      .url({ protocol: /^https?$/ })
      // Whoever can change the answers could have customers pay to an address of their own.
      .refine(isSafeUrl, 'must be https: the relay says where customers send their money')
      .default(baseUrlDefault)
      .transform((url) => url.replace(/\/+$/, '')),
    recoveryAddress: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
      .optional(),
    minimumAmount: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount of whole tokens such as "1.00"')
      .refine((text) => /[1-9]/.test(text), 'must be more than zero')
      .default('1.00'),
    maxFeeBps: z.int().min(0).max(10_000).default(maxFeeBpsDefault),
    currencies: z.array(symbol).min(1).max(20).default(['USDC', 'USDT']),
    sources: z
      .array(z.strictObject({ chainId: z.int().positive(), currencies: z.array(symbol).min(1).max(20).optional() }))
      .min(1)
      .max(200)
      .optional(),
    pollMs: z.int().min(50).max(60_000).default(5_000),
    reindexAfterSeconds: z.int().min(1).max(3_600).default(180),
  })
  .optional()

export type RelaySettings = {
  baseUrl: string
  /** Null: requests carry no key, which Relay allows for little traffic. */
  apiKey: string | null
  /** Gets money that cannot be returned to its sender; null: the operator's address. */
  recoveryAddress: string | null
  /** Whole tokens. The relay has a minimum of its own, which only a quote shows. */
  minimumAmount: string
  /** How much more than the amount due a customer may be asked to send, in basis points of the amount. */
  maxFeeBps: number
  /** Symbols in upper case that customers may send, unless `sources` names others. */
  currencies: readonly string[]
  /** Chains that customers may pay from, and what they may send there. Null: all that the relay has. */
  sources: ReadonlyMap<number, readonly string[]> | null
  /** Time between two polls of a payment that is under way. */
  pollMs: number
  /** The age at which the relay is asked to read the deposit address of a payment again. */
  reindexAfterMs: number
}

/** Null: there is no bridge. */
export function resolveRelay(setting: z.infer<typeof relaySetting>, apiKey: string | undefined): RelaySettings | null {
  if (setting === undefined) return null
  const { sources, recoveryAddress, reindexAfterSeconds, ...rest } = setting
  const currencies = upper(setting.currencies)
  return {
    ...rest,
    currencies,
    apiKey: apiKey ?? null,
    recoveryAddress: recoveryAddress ?? null,
    reindexAfterMs: reindexAfterSeconds * 1000,
    sources:
      sources === undefined
        ? null
        : new Map(sources.map((source) => [source.chainId, source.currencies ? upper(source.currencies) : currencies])),
  }
}

const upper = (symbols: readonly string[]) => symbols.map((text) => text.toUpperCase())
