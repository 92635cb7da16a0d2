import { mainnets } from '../../../bff/src/network/known/known-mainnets.ts'

/** A token's contract or Solana mint, as published by its issuer. */
export type KnownToken = { address: string; decimals: number; permit: { name: string; version: string } | null }

/**
 * The element's own data about a mainnet token. The service cannot override it.
 * @param chainId - Negative on Solana, where the short name decides.
 * @returns null for an unknown network or token.
 */
export function knownToken(chainId: number, shortName: string, symbol: string): KnownToken | null {
  const network = mainnets.find((known) =>
    known.family === 'evm' ? known.chainId === chainId : chainId < 0 && known.shortName === shortName,
  )
  const token = network?.tokens.find((known) => known.symbol === symbol)
  return token ? { address: token.address, decimals: token.decimals, permit: token.permit ?? null } : null
}

/** A known network's chain id; null for an unknown network. */
export function knownChainId(shortName: string): number | null {
  const network = mainnets.find((known) => known.family === 'evm' && known.shortName === shortName)
  return network?.chainId ?? null
}
