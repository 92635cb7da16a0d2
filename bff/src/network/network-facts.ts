import type { DepositKind, SigningDomain } from '../core/families.ts'

/** A token of a network as its issuer, or who bridges it, publishes it. */
export type KnownToken = {
  /** Its currency is in `knownCurrencies`. */
  symbol: string
  name: string
  address: string
  decimals: number
  /** Off unless named in the configuration: the lists disagree on the address, or the token is not what a shop expects without asking. */
  isOffByDefault?: true
  /** Absent: none confirmed. */
  permit?: SigningDomain
  authorization?: SigningDomain | 'permit2'
}

/** Public facts of a chain. The operator adds its nodes, the factory and the platform's wallet. */
export type KnownNetwork = {
  shortName: string
  name: string
  family: 'evm' | 'solana'
  /** Solana has no chain ids; these are the SPL token registry's numbers of its clusters. */
  chainId: number
  isTestnet: boolean
  /** Head − block + 1 at which a payment counts. */
  confirmations: number
  /**
   * Blocks kept for reorgs; more than the deepest reorg seen on the chain. Absent on Solana, which reports
   * finality.
   */
  finalityBlocks?: number
  /** Of Solana's clusters. Source: their nodes, and Coinbase's CDP SDK. */
  genesisHash?: string
  pollMs: number
  explorerUrl: string
  /** A file of `logos/networks`, without its ending. */
  logo: string
  /**
   * Given to a customer's wallet that does not know the chain; this service asks only the nodes of its configuration.
   * Source: `rpcUrls.default` of viem 2.57.1 (`viem/chains`). Absent on Solana, where wallets bring their own.
   */
  publicRpcUrls?: readonly string[]
  /** The predeployed `GasPriceOracle`, on chains of the OP Stack. Source: https://specs.optimism.io/protocol/predeploys.html */
  l1FeeOracle?: string
  /** The kind of deposit address, where it is not a forwarder. Such a network is configured by hand: docs/tempo.md. */
  deposits?: DepositKind
  /** Absent: ether. */
  nativeCurrency?: { name: string; symbol: string; decimals: number }
  tokens: readonly KnownToken[]
}
