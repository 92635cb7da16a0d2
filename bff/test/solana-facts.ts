import type { SolanaNetwork } from '@stablecoin-checkout/bff/testing/core'

type Facts = Pick<SolanaNetwork, 'rpcUrls' | 'platformWallet' | 'genesisHash' | 'signatureGas'> & {
  highValue?: SolanaNetwork['highValue']
  tokens: Record<'USDC' | 'USDT', { address: string; decimals: number }>
}

/** The configured network of a local Solana. For tests. */
export const solanaNetwork = ({ tokens, ...facts }: Facts): SolanaNetwork => ({
  shortName: 'solana-devnet',
  name: 'Solana devnet',
  family: 'solana',
  chainId: 103,
  isTestnet: true,
  confirmations: 32,
  highValue: null,
  pollMs: 50,
  explorerUrl: null,
  ...facts,
  tokens: (['USDC', 'USDT'] as const).map((symbol) => ({
    symbol,
    currency: 'USD',
    name: symbol,
    ...tokens[symbol],
    permit: null,
    authorization: null,
  })),
})
