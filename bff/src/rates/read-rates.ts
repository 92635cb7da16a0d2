import { PaymentError } from '../core/errors.ts'
import { limitCurrency, listedSymbols } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { fetchRates, type RatesEndpoint } from './fetch-rates.ts'
import { providers } from './providers.ts'
import type { Rates, RateTable } from './rate.ts'
import { type RatedToken, withTokenRates } from './token-rates.ts'

/** The source of the rates. */
export type RatesSource =
  /** A token counts as one unit of its currency. By definition this is never stale. */
  | { kind: 'parity' }
  /** A table in the configuration, refused when older than `maxAgeSeconds`. */
  | { kind: 'fixed'; rates: RateTable; asOfMs: number; maxAgeSeconds: number | null }
  /** A provider, asked again after half of `maxAgeSeconds`; a named one after its `askEverySeconds` if that is shorter. */
  | ({ kind: 'http'; maxAgeSeconds: number } & RatesEndpoint)

/** How far a provider's clock may be ahead. A rate from further in the future is a mistake. */
const clockSkewMs = 60_000

const parity: RateTable = Object.fromEntries(listedSymbols.map((symbol) => [symbol, { [limitCurrency]: '1' }]))

/** The pause before a failed provider is asked again, however many callers wait. */
const retryMs = 5_000

/** Like `retryMs`, for public providers, which limit requests. */
const publicRetryMs = 30_000

const unavailable = (reason: string, pauseMs: number) =>
  new PaymentError('RATES_UNAVAILABLE', reason, { retryAfterSeconds: pauseMs / 1000 })

/** @throws {PaymentError} when every known rate is too old. */
export type ReadRates = () => Promise<Rates>

/** `tokens`: the tokens that the service accepts; the rates include all of them. */
type Deps = { runtime: Runtime; log: Log; tokens?: readonly RatedToken[]; fetch?: typeof fetchRates }

export function createRates(source: RatesSource, { tokens = [], ...deps }: Deps): ReadRates {
  return withTokenRates(createListedRates(source, deps), tokens)
}

/** The rates of the tokens that the source lists. */
function createListedRates(source: RatesSource, { runtime, log, fetch = fetchRates }: Omit<Deps, 'tokens'>): ReadRates {
  switch (source.kind) {
    case 'parity':
      return async () => ({
        rates: parity,
        asOfMs: runtime.nowMs(),
        provider: 'parity',
      })
    case 'fixed': {
      const { rates, asOfMs, maxAgeSeconds } = source
      return async () => fresh({ rates, asOfMs, provider: 'fixed' }, maxAgeSeconds, runtime.nowMs())
    }
    case 'http':
      return createHttpRates(source, { runtime, log, fetch })
    default:
      return source satisfies never
  }
}

function createHttpRates(
  { provider, url, maxAgeSeconds }: { maxAgeSeconds: number } & RatesEndpoint,
  { runtime, log, fetch }: Required<Omit<Deps, 'tokens'>>,
): ReadRates {
  const pauseMs = provider === null ? retryMs : publicRetryMs
  const halfLifeMs = (maxAgeSeconds * 1000) / 2
  const intervalMs = provider === null ? halfLifeMs : Math.min(halfLifeMs, providers[provider].askEverySeconds * 1000)
  let known: Rates | undefined
  let askAgainAtMs = 0
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    try {
      const fetched = await fetch({ provider, url })
      // A provider behind a cache may return older rates than before; the newer ones are kept.
      if (!known || fetched.asOfMs >= known.asOfMs) known = fetched
      const isHalfOld = age(known, runtime.nowMs()) > maxAgeSeconds * 500
      askAgainAtMs = runtime.nowMs() + (isHalfOld && provider === null ? pauseMs : Math.max(pauseMs, intervalMs))
    } catch (error) {
      askAgainAtMs = runtime.nowMs() + pauseMs
      log.warn({ err: error, provider, url }, 'Fetching exchange rates failed; retrying')
    }
  }

  return async () => {
    if (runtime.nowMs() >= askAgainAtMs) {
      asking ??= ask().finally(() => {
        asking = undefined
      })
    }
    // Concurrent callers share one request. They wait for it only when the known rates are too old.
    if (asking && !(known && age(known, runtime.nowMs()) <= maxAgeSeconds * 1000)) await asking
    if (!known) throw unavailable('Exchange rates are not loaded yet; try again in a moment.', pauseMs)
    return fresh(known, maxAgeSeconds, runtime.nowMs(), pauseMs)
  }
}

const age = (rates: Rates, nowMs: number): number => nowMs - rates.asOfMs

function fresh(rates: Rates, maxAgeSeconds: number | null, nowMs: number, pauseMs = retryMs): Rates {
  const time = new Date(rates.asOfMs).toISOString()
  if (age(rates, nowMs) < -clockSkewMs) throw unavailable(`The rates are dated in the future: ${time}.`, pauseMs)
  if (maxAgeSeconds !== null && age(rates, nowMs) > maxAgeSeconds * 1000) {
    throw unavailable(`The newest rates are of ${time}, older than the ${maxAgeSeconds} s that are allowed.`, pauseMs)
  }
  return rates
}
