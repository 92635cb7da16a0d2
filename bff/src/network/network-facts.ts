import type { DepositKind, SigningDomain } from '../core/families.ts'

/** A token of a network as its issuer or bridge publishes it. */
export type KnownToken = {
  /** Its currency is in `knownCurrencies`. */
  symbol: string
  name: string
  address: string
  decimals: number
  /** Off unless named in the configuration: the lists disagree on the address, or shops do not expect the token unasked. */
  isOffByDefault?: true
  /** Absent: none is confirmed. */
  permit?: SigningDomain
  authorization?: SigningDomain | 'permit2'
}

/** Public facts of a chain. The operator adds its own nodes, the factory and the platform's wallet. */
export type KnownNetwork = {
  shortName: string
  name: string
  family: 'evm' | 'solana'
  /** Solana has no chain ids; these are the numbers of its clusters in the SPL token registry. */
  chainId: number
  isTestnet: boolean
  /** Head − block + 1 at which a payment counts. */
  confirmations: number
  /** Blocks kept for reorgs: more than the deepest reorg seen on the chain. Absent on Solana, which reports finality. */
  finalityBlocks?: number
  /** Only for Solana's clusters. Source: their nodes, and Coinbase's CDP SDK. */
  genesisHash?: string
  pollMs: number
  explorerUrl: string
  /** A file of `logos/networks`, without its extension. */
  logo: string
  /**
   * Given to customers' wallets that do not know the chain. This service asks only the nodes in its configuration.
   * Source: `rpcUrls.default` of viem 2.57.1 (`viem/chains`). Absent on Solana, where wallets bring their own.
   */
  publicRpcUrls?: readonly string[]
  /** The predeployed `GasPriceOracle`, on chains of the OP Stack. Source: https://specs.optimism.io/protocol/predeploys.html */
  l1FeeOracle?: string
  /** The kind of deposit address, if it is not a forwarder. Such a network is configured by hand: docs/tempo.md. */
  deposits?: DepositKind
  /** Absent: ether. */
  nativeCurrency?: { name: string; symbol: string; decimals: number }
  tokens: readonly KnownToken[]
}
