import { type BaseUnits, parseAmount } from './money.ts'

/** What a token's typed data is signed under (EIP-712), beside its chain and its address. */
export type SigningDomain = { name: string; version: string }

/** A token that is accepted on a network. */
export type Token = {
  symbol: string
  name: string
  address: string
  decimals: number
  /** Where the token takes ERC-2612 permits. */
  permit: SigningDomain | null
  /** Where the token takes ERC-3009 authorizations. */
  authorization: SigningDomain | null
}

/** What a configured chain has whatever its family. `shortName` is its public key. */
type AnyNetwork = {
  shortName: string
  name: string
  /** On Solana, which has none, the number that token lists give it: 101 for the mainnet, 103 for its devnet. */
  chainId: number
  isTestnet: boolean
  /** Tried in order. Ours alone: they may hold keys. */
  rpcUrls: readonly string[]
  /** Blocks from a transfer's block to the head, both counted, before it is paid. On Solana only shown: `finalized` pays. */
  confirmations: number
  /**
   * From this amount of whole tokens on, a payment wants more confirmations, attested by two nodes where there are two. On Solana
   * the confirmations are only shown.
   */
  highValue: { amount: string; confirmations: number } | null
  /** Pause between looks at the head. */
  pollMs: number
  explorerUrl: string | null
  platformWallet: string
  tokens: readonly Token[]
}

export type EvmNetwork = AnyNetwork & {
  family: 'evm'
  /** What a customer's wallet is told when it does not know the chain. */
  publicRpcUrls: readonly string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Blocks after which a header is never looked at again; a deeper reorg stops the watcher. */
  finalityBlocks: number
  /**
   * How long deposits wait for their sweep because gas would eat more than `maxBps` of them, with a coin at `coinPrice` whole
   * tokens. Null: they never wait.
   */
  sweepGas: { maxBps: number; coinPrice: string; maxWaitHours: number } | null
  /** Of deposit addresses. */
  factory: string
  /** Of contract payments. */
  splitter: string
}

/** Tokens are mints of the classic Token program; wallets are owners, never token accounts. */
export type SolanaNetwork = AnyNetwork & {
  family: 'solana'
  /** Base58: what proves that a node is on this cluster. */
  genesisHash: string
}

export type Network = EvmNetwork | SolanaNetwork

/** What a payment of that amount wants, null where the network's confirmations are enough. */
export function highValueConfirmations(
  { highValue }: Pick<Network, 'highValue'>,
  due: BaseUnits,
  { decimals }: Pick<Token, 'decimals'>,
): number | null {
  return highValue !== null && due >= parseAmount(highValue.amount, decimals) ? highValue.confirmations : null
}

/** Networks by lower-case short name. */
export type Networks = ReadonlyMap<string, Network>

/** Short names are case-insensitive on the wire. */
export function findNetwork(networks: Networks, shortName: string): Network | undefined {
  return networks.get(shortName.toLowerCase())
}
