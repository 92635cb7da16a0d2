import { z } from 'zod'
import { chainFamilies } from '../../chain/index.ts'
import { isSafeUrl } from '../../core/safe-url.ts'

/** For mainnets. The testnets are at `https://api.testnets.relay.link`. */
const baseUrlDefault = 'https://api.relay.link'

const symbol = z.string().regex(/^[A-Za-z0-9.]{1,20}$/, 'must be a token symbol such as USDC')

/**
 * 10 % of the amount. A relay charges gas on both chains and some basis points: on 1.00, the default minimum, 0.05 to
 * 0.10 is usual. A higher fee indicates a mistake or a dishonest relay.
 */
const maxFeeBpsDefault = 1_000

/** The configuration's `relay`. Cross-chain payments require it. */
export const relaySetting = z
  .strictObject({
    baseUrl: z
      .url({ protocol: /^https?$/ })
      // An attacker who changes responses could replace the deposit address.
      .refine(isSafeUrl, 'must be https: the relay says where customers send their money')
      .default(baseUrlDefault)
      .transform((url) => url.replace(/\/+$/, ''))
      .describe('https, except on this machine. Testnets need `https://api.testnets.relay.link`'),
    recoveryAddress: z
      .string()
      .refine((text) => chainFamilies.evm.parseAddress(text) !== undefined, 'must be an address, with its checksum')
      .refine((text) => text !== chainFamilies.evm.zeroAddress, 'must not be the zero address')
      .optional()
      .meta({
        description: 'receives, on every origin chain, what cannot be returned to the sender. Hold its key',
        otherwise: 'the operator’s',
      }),
    minimumAmount: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount of whole tokens such as "1.00"')
      .refine((text) => /[1-9]/.test(text), 'must be more than zero')
      .default('1.00')
      .describe('in whole tokens; the bridge may require more'),
    maxFeeBps: z
      .int()
      .min(0)
      .max(10_000)
      .default(maxFeeBpsDefault)
      .describe(
        'the most that a customer may be asked for above the amount, in basis points; higher quotes are refused with `NO_ROUTE`',
      ),
    currencies: z.array(symbol).min(1).max(20).default(['USDC', 'USDT']).describe('what customers may send'),
    sources: z
      .array(z.strictObject({ chainId: z.int().positive(), currencies: z.array(symbol).min(1).max(20).optional() }))
      .min(1)
      .max(200)
      .optional()
      .meta({
        description: 'restricts the origin chains: `[{ "chainId": 42161, "currencies": ["USDC"] }]`',
        otherwise: 'all that Relay supports',
      }),
    pollMs: z.int().min(50).max(60_000).default(5_000).describe('how often Relay is asked about money in transit'),
    reindexAfterSeconds: z.int().min(1).max(3_600).default(180).describe('when to ask Relay to index undetected money'),
  })
  .optional()
  .describe('[cross-chain payments](configuration.md#cross-chain-payments); without it they answer `NO_ROUTE`')

export type RelaySettings = {
  baseUrl: string
  /** Null: requests without a key, which Relay allows at low rates. */
  apiKey: string | null
  /** Receives money that cannot be refunded to its sender; null: the operator's address. */
  recoveryAddress: string | null
  /** Whole tokens. The relay has its own minimum, known only from a quote. */
  minimumAmount: string
  /** Maximum excess of the quoted amount over the amount due, in basis points of the amount due. */
  maxFeeBps: number
  /** Symbols that customers may send, in upper case, unless `sources` lists others. */
  currencies: readonly string[]
  /** Symbols that customers may send, by chain id. Null: `currencies` on every chain of the relay. */
  sources: ReadonlyMap<number, readonly string[]> | null
  /** Interval between polls of a payment in progress. */
  pollMs: number
  /** Age at which the relay is asked to reindex a payment's deposit address. */
  reindexAfterMs: number
}

/** Null: no relay is configured. */
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
