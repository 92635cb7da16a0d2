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
 * Tokens that are not worth a dollar, by chain id; they must not be configured under another symbol. Source: `viem/tokens` 2.57.1, those
 * whose currency is not USD.
 */
export const otherPegs: readonly { chainId: number; name: string; currency: string; address: string }[] = [
  { chainId: 1, name: 'EURC', currency: 'EUR', address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c' },
  { chainId: 8_453, name: 'EURC', currency: 'EUR', address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' },
  { chainId: 43_114, name: 'EURC', currency: 'EUR', address: '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD' },
  { chainId: 1, name: 'cirBTC', currency: 'BTC', address: '0x72DFB2E44f59C5AD2bAFE84314E5b99a7cd5075E' },
]

/** The token at the address, and why it must not be configured; undefined for all others. */
export function refusedTokenAt(chainId: number, address: string): { name: string; reason: string } | undefined {
  const isThere = (one: { chainId: number; address: string }) =>
    one.chainId === chainId && isSameAddress(address, one.address)
  const lookAlike = lookAlikes.find(isThere)
  if (lookAlike) return { name: lookAlike.name, reason: 'an imitation of USDC' }
  const other = otherPegs.find(isThere)
  return other && { name: other.name, reason: `worth ${other.currency}: each token counts as one US dollar` }
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A configured network, completed from the known network of its `shortName`; configured values win. A token
 * may be named by its symbol only. Anything else is passed through for the schema to check.
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
    // A private chain under a known name: with the public nodes, a wallet would use the known chain.
    ...(publicRpcUrls !== undefined && isSameChain ? { publicRpcUrls } : {}),
    ...given,
    tokens: Array.isArray(named) ? named.map((token) => withKnownToken(tokens, token)) : named,
  }
}

/** A custom address takes nothing from the known token: its decimals may differ. */
function withKnownToken(tokens: readonly KnownToken[], given: unknown): unknown {
  if (!isFields(given)) return given
  const known = tokens.find(({ symbol }) => symbol === given['symbol'])
  if (!known || !isSameAddress(given['address'] ?? known.address, known.address)) return given
  const { isOffByDefault: _, ...token } = known
  return { ...token, ...given }
}

const isSameAddress = (given: unknown, known: string): boolean =>
  typeof given === 'string' && given.toLowerCase() === known.toLowerCase()
