import { knownCurrencies } from '../../core/known-currencies.ts'
import type { KnownNetwork, KnownToken } from '../network-facts.ts'
import { mainnets } from './known-mainnets.ts'
import { testnets } from './known-testnets.ts'

export const knownNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  [...mainnets, ...testnets].map((network) => [network.shortName, network]),
)

/**
 * Tokens named USDC that Circle does not back, by chain id; they must not be configured. Source: Uniswap
 * default token list 22.21.0.
 */
export const lookAlikes: readonly { chainId: number; name: string; address: string }[] = [
  { chainId: 42_161, name: 'USDC.e', address: '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8' },
  { chainId: 10, name: 'USDC.e', address: '0x7F5c764cBc14f9669B88837ca1490cCa17c31607' },
  { chainId: 137, name: 'USDC.e', address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' },
  { chainId: 8_453, name: 'USDbC', address: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA' },
]

/**
 * Tokens of the known networks that do not stand for a dollar, by chain id; they must not be configured with another currency.
 * Source: `viem/tokens` 2.57.1.
 */
export const otherTokens: readonly { chainId: number; name: string; currency: string; address: string }[] = [
  { chainId: 4_217, name: 'BRLA', currency: 'BRL', address: '0x20c000000000000000000000f047DD7018e50367' },
  { chainId: 4_217, name: 'cbBTC', currency: 'BTC', address: '0x20C000000000000000000000c412Ec89D0c08be5' },
  { chainId: 4_217, name: 'CHFAU', currency: 'CHF', address: '0x20C00000000000000000000042109aef2f8B28e1' },
  { chainId: 1, name: 'cirBTC', currency: 'BTC', address: '0x72DFB2E44f59C5AD2bAFE84314E5b99a7cd5075E' },
  { chainId: 4_217, name: 'EURAU', currency: 'EUR', address: '0x20c0000000000000000000009A4a4b17E0Dc6651' },
  { chainId: 4_217, name: 'EURC.e', currency: 'EUR', address: '0x20c0000000000000000000001621e21F71CF12fb' },
  { chainId: 4_217, name: 'GBPA', currency: 'GBP', address: '0x20C0000000000000000000000a6Da882d075a4C3' },
  { chainId: 4_217, name: 'siUSD', currency: 'siUSD', address: '0x20c000000000000000000000048c8F36dF1C9A4a' },
  { chainId: 4_217, name: 'stcUSD', currency: 'stcUSD', address: '0x20c0000000000000000000008EE4fcFF88888888' },
  { chainId: 4_217, name: 'sUSDe', currency: 'sUSDe', address: '0x20C000000000000000000000Bd95bFB69fBE6Ce3' },
  { chainId: 4_217, name: 'syrupUSDC', currency: 'syrupUSDC', address: '0x20c0000000000000000000008191667423F70E67' },
  { chainId: 4_217, name: 'wsrUSD', currency: 'wsrUSD', address: '0x20c000000000000000000000aeED2eC36A54d0e5' },
]

/**
 * USDC on Arc and its testnet is the chain's coin. Wallets send it natively, and such a transfer emits no event of this contract,
 * only one of a system address (EIP-7708) in units of 18 decimals: of a sample of 906,915 transfers, the contract logged 437,646.
 * Source: https://docs.envio.dev/blog/index-arc-usdc-transfers,
 * https://docs.dune.com/data-catalog/curated/token-transfers/arc/arc-token-transfers,
 * https://docs.arc.network/arc/concepts/stablecoin-native-model
 */
const arcUsdc = { chainIds: [5_042, 5_042_002], address: '0x3600000000000000000000000000000000000000' } as const

/** The known testnet that this chain is, whatever its short name; undefined if it is none. */
export const testnetOf = ({
  chainId,
  genesisHash,
}: {
  chainId: number
  genesisHash?: string
}): KnownNetwork | undefined =>
  testnets.find(
    (known) => known.genesisHash === genesisHash && (genesisHash !== undefined || known.chainId === chainId),
  )

/**
 * Why a token must not be configured like this: its payments would be missed, it is an imitation, or it is a known token under
 * another symbol or currency. Undefined when nothing is known against it.
 */
export function tokenFault(
  chainId: number,
  { symbol, currency, address }: { symbol: string; currency: string; address: string },
): string | undefined {
  const isThere = (one: { chainId: number; address: string }) =>
    one.chainId === chainId && isSameAddress(address, one.address)
  if (arcUsdc.chainIds.some((id) => isThere({ chainId: id, address: arcUsdc.address })))
    return `${address} is the coin of its chain: payments that a wallet sends as a coin would be missed`
  const lookAlike = lookAlikes.find(isThere)
  if (lookAlike) return `${address} is ${lookAlike.name}, an imitation of USDC`
  const other = otherTokens.find(isThere)
  if (other && other.currency !== currency)
    return `${address} is ${other.name}, which stands for ${other.currency}, not ${currency}`
  const known = [...knownNetworks.values()]
    .filter((network) => network.chainId === chainId)
    .flatMap(({ tokens }) => tokens)
    .find((token) => isSameAddress(address, token.address))
  if (known && known.symbol !== symbol) return `${address} is ${known.symbol}, not ${symbol}`
  const rightful = knownCurrencies[symbol]
  if (rightful !== undefined && rightful !== currency) return `${symbol} stands for ${rightful}, not ${currency}`
  return undefined
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Completes a configured network with the known network of the same `shortName`; configured values win. A token may be named
 * by its symbol alone. Anything else is passed through for the schema to check.
 */
export function withKnown(given: unknown): unknown {
  if (!isFields(given) || typeof given['shortName'] !== 'string') return given
  const known = knownNetworks.get(given['shortName'])
  if (!known) return given
  const { tokens, logo: _, publicRpcUrls, ...rest } = known
  const isSameChain = (given['chainId'] ?? known.chainId) === known.chainId
  const named = given['tokens'] ?? tokens.filter(({ isOffByDefault }) => !isOffByDefault)
  return {
    ...rest,
    // For a private chain under a known name, these public nodes would lead a wallet to the known chain.
    ...(publicRpcUrls !== undefined && isSameChain ? { publicRpcUrls } : {}),
    ...given,
    tokens: Array.isArray(named) ? named.map((token) => withKnownToken(tokens, token)) : named,
  }
}

/** A custom address takes nothing from the known token, whose decimals may differ. */
function withKnownToken(tokens: readonly KnownToken[], given: unknown): unknown {
  if (!isFields(given)) return given
  const known = tokens.find(({ symbol }) => symbol === given['symbol'])
  if (!known || !isSameAddress(given['address'] ?? known.address, known.address)) return given
  const { isOffByDefault: _, ...token } = known
  return { ...token, ...given }
}

const isSameAddress = (given: unknown, known: string): boolean =>
  typeof given === 'string' && given.toLowerCase() === known.toLowerCase()
