import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'

const tokenLogos: Readonly<Record<string, string>> = { USDC: 'usdc', USDT: 'usdt' }

const logoByChainId: ReadonlyMap<number, string> = new Map(
  [...knownNetworks.values()].map(({ chainId, logo }) => [chainId, logo]),
)

/** The address of a logo. `base` is where customers reach this service; without one nobody could load a picture: null. */
const uri = (base: string | null, path: string): string | null => (base === null ? null : `${base}/logos/${path}.svg`)

/** @param unknown - The logo of chains that are not known, such as a development chain: a neutral one. */
export function chainLogo(base: string | null, chainId: number, unknown: string = 'other'): string | null {
  return uri(base, `networks/${logoByChainId.get(chainId) ?? unknown}`)
}

/** As `chainLogo`; a Solana cluster that is not known still has the logo of Solana. */
export function networkLogo(
  base: string | null,
  network: Pick<Network, 'family' | 'chainId'> | undefined,
): string | null {
  if (network === undefined) return uri(base, 'networks/other')
  return chainLogo(base, network.chainId, familyOf(network).logo)
}

/** Null where we have none. */
export function tokenLogo(base: string | null, symbol: string): string | null {
  const name = tokenLogos[symbol]
  return name === undefined ? null : uri(base, `tokens/${name}`)
}
