import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { errorOf } from './cross-chain-errors.ts'
import type { Relay, RelayChain } from './relay-provider.ts'
import type { RelaySettings } from './relay-settings.ts'

/** The relay adds chains weekly, and may disable one at any time. */
const freshMs = 10 * 60_000
/** Maximum age of a list in use while the relay is down. A quote still needs the relay. */
const staleMs = 60 * 60_000
/** Pause after a failed request, shared by all callers. */
const retryMs = 5_000

type Token = RelayChain['tokens'][number]

/** A chain that customers can pay from, with its accepted tokens. */
export type Source = { chainId: number; name: string; explorerUrl: string | null; tokens: readonly Token[] }

export type Sources = ReturnType<typeof createSources>

type Deps = { relay: Pick<Relay, 'chains'>; settings: RelaySettings; runtime: Runtime; log: Log }

/** The relay's chains allowed by the configuration. Concurrent callers share one cached list. */
export function createSources({ relay, settings, runtime, log }: Deps) {
  let known: { chains: readonly RelayChain[]; atMs: number } | undefined
  let fault: unknown
  let askAgainAtMs = 0
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    try {
      known = { chains: await relay.chains(), atMs: runtime.nowMs() }
      askAgainAtMs = known.atMs + freshMs
    } catch (error) {
      fault = error
      askAgainAtMs = runtime.nowMs() + retryMs
      log.warn({ err: error }, 'Reading the relay’s chains failed; retrying')
    }
  }

  /** @throws {PaymentError} 503 when the relay is down and the cached list is older than `staleMs`. */
  async function chains(): Promise<readonly RelayChain[]> {
    if (runtime.nowMs() >= askAgainAtMs) {
      asking ??= ask().finally(() => {
        asking = undefined
      })
    }
    const isUsable = known !== undefined && runtime.nowMs() - known.atMs <= staleMs
    if (asking && !isUsable) await asking
    if (known === undefined || runtime.nowMs() - known.atMs > staleMs) throw errorOf(fault, 0)
    return known.chains
  }

  /** Symbols accepted on a chain; undefined if the configuration does not allow the chain. */
  const allowed = (chainId: number) => (settings.sources === null ? settings.currencies : settings.sources.get(chainId))

  function sourceOf({ id, name, explorerUrl, tokens }: RelayChain): Source {
    const symbols = allowed(id) ?? []
    const isAccepted = ({ symbol, address }: Token) =>
      symbols.includes(symbol.toUpperCase()) && /^0x[0-9a-fA-F]{40}$/.test(address)
    return { chainId: id, name, explorerUrl, tokens: tokens.filter(isAccepted) }
  }

  return {
    /** Chains with at least one accepted token, sorted by name. */
    async list(): Promise<Source[]> {
      const usable = (await chains()).filter(({ isEvm, isEnabled }) => isEvm && isEnabled)
      return usable
        .map(sourceOf)
        .filter(({ tokens }) => tokens.length > 0)
        .sort((a, b) => a.name.localeCompare(b.name))
    },

    /**
     * @param currency - The token's symbol or address.
     * @throws {PaymentError} ORIGIN_NOT_SUPPORTED.
     * @throws {ValidationError} with the tokens accepted on the chain.
     */
    async find(chainId: number, currency: string): Promise<{ source: Source; token: Token }> {
      const chain = (await chains()).find(({ id }) => id === chainId)
      if (chain && !chain.isEvm) throw notSupported(`${chain.name} (${chainId}) is not an EVM chain.`)
      if (!chain?.isEnabled || allowed(chainId) === undefined) {
        throw notSupported(`Payments from chain ${chainId} are not supported now.`)
      }
      const source = sourceOf(chain)
      const wanted = currency.toLowerCase()
      const token = source.tokens.find(({ symbol, address }) =>
        [symbol.toLowerCase(), address.toLowerCase()].includes(wanted),
      )
      if (token) return { source, token }
      const accepted = source.tokens.map(({ symbol }) => symbol).join(', ') || 'none'
      throw new ValidationError(
        `originCurrency ${currency} is not accepted on ${source.name} (accepted: ${accepted})`,
        'CURRENCY_NOT_SUPPORTED',
      )
    },

    /** Whether the relay pays out the token on the chain. */
    async reaches(chainId: number, token: string): Promise<boolean> {
      const chain = (await chains()).find(({ id }) => id === chainId)
      if (!chain?.isEnabled || !chain.isEvm) return false
      return chain.paysAnyToken || chain.tokens.some(({ address }) => address.toLowerCase() === token.toLowerCase())
    },
  }
}

const notSupported = (message: string) => new PaymentError('ORIGIN_NOT_SUPPORTED', message)
