import type { Network } from '../core/families.ts'
import { knownNetworks } from './known-networks.ts'

const tokenLogos: Readonly<Record<string, string>> = { USDC: 'usdc', USDT: 'usdt' }

const logoByChainId: ReadonlyMap<number, string> = new Map(
  [...knownNetworks.values()].map(({ chainId, logo }) => [chainId, logo]),
)

/** The address of a logo. `base` is where customers reach this service; without one nobody could load a picture: null. */
const uri = (base: string | null, path: string): string | null => (base === null ? null : `${base}/logos/${path}.svg`)

/** A neutral logo for chains that are not known, such as a development chain. */
export function chainLogo(base: string | null, chainId: number): string | null {
  return uri(base, `networks/${logoByChainId.get(chainId) ?? 'other'}`)
}

/** As `chainLogo`; an unknown network of Solana is still Solana. */
export function networkLogo(
  base: string | null,
  network: Pick<Network, 'family' | 'chainId'> | undefined,
): string | null {
  if (network?.family === 'solana') return uri(base, 'networks/solana')
  return network === undefined ? uri(base, 'networks/other') : chainLogo(base, network.chainId)
}

/** Null where we have none. */
export function tokenLogo(base: string | null, symbol: string): string | null {
  const name = tokenLogos[symbol]
  return name === undefined ? null : uri(base, `tokens/${name}`)
}
