import { mainnets } from '../../../bff/src/network/known/known-mainnets.ts'

/** A token's contract, or its mint on Solana, as its issuer publishes it. */
export type KnownToken = { address: string; decimals: number; permit: { name: string; version: string } | null }

/**
 * What the element itself knows of a token on a network with real money. The service cannot say otherwise.
 * @param chainId - Negative on Solana, where the short name decides.
 * @returns null for a network, or a token on it, that the element does not know.
 */
export function knownToken(chainId: number, shortName: string, symbol: string): KnownToken | null {
  const network = mainnets.find((known) =>
    known.family === 'evm' ? known.chainId === chainId : chainId < 0 && known.shortName === shortName,
  )
  const token = network?.tokens.find((known) => known.symbol === symbol)
  return token ? { address: token.address, decimals: token.decimals, permit: token.permit ?? null } : null
}

/** The chain id that a known network has; null for a network that the element does not know. */
export function knownChainId(shortName: string): number | null {
  const network = mainnets.find((known) => known.family === 'evm' && known.shortName === shortName)
  return network?.chainId ?? null
}
