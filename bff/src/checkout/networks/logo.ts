import { assetNames } from '../../assets.ts'
import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'

/** The file of a token's logo is named by its symbol. */
const tokenLogos: ReadonlySet<string> = new Set(assetNames('token-logos'))

const logoByChainId: ReadonlyMap<number, string> = new Map(
  [...knownNetworks.values()].map(({ chainId, logo }) => [chainId, logo]),
)

/** The URL of a logo. `base` is this service's origin for customers; null: unknown, so no logo could load. */
const uri = (base: string | null, path: string): string | null => (base === null ? null : `${base}/logos/${path}.svg`)

/** @param unknown - Logo name for chains without their own, such as development chains. Default: a neutral logo. */
export function chainLogo(base: string | null, chainId: number, unknown: string = 'other'): string | null {
  return uri(base, `networks/${logoByChainId.get(chainId) ?? unknown}`)
}

/** Like `chainLogo`; an unknown network gets its family's logo, such as Solana's. */
export function networkLogo(
  base: string | null,
  network: Pick<Network, 'family' | 'chainId'> | undefined,
): string | null {
  if (network === undefined) return uri(base, 'networks/other')
  return chainLogo(base, network.chainId, familyOf(network).logo)
}

/** Null for tokens without a logo. */
export function tokenLogo(base: string | null, symbol: string): string | null {
  const name = symbol.toLowerCase()
  return tokenLogos.has(`${name}.svg`) ? uri(base, `tokens/${name}`) : null
}
