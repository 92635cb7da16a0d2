import type { KnownNetwork } from '../network-facts.ts'

/** Solana's own public nodes, by genesis hash. Source: https://solana.com/docs/references/clusters */
const solanaNodes: ReadonlyMap<string | undefined, string> = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'https://api.mainnet-beta.solana.com'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'https://api.devnet.solana.com'],
])

/**
 * Public nodes that the set-up offers for a network, in order of preference. They need no account and promise nothing: enough
 * for a first try and a small shop, while a busy shop needs nodes of its own.
 */
export function defaultNodesOf({ publicRpcUrls, genesisHash }: KnownNetwork): readonly string[] {
  const solanaNode = solanaNodes.get(genesisHash)
  return publicRpcUrls ?? (solanaNode === undefined ? [] : [solanaNode])
}
