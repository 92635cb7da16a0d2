import { knownCurrencies } from './known-currencies.ts'
import { type BaseUnits, multiplied, parseAmount } from './money.ts'

/** What a token's typed data is signed under (EIP-712), beside its chain and its address. */
export type SigningDomain = { name: string; version: string }

/**
 * The currency in which limits and the prices of coins are written. A token of another currency counts in it at the rate of
 * the payment's creation.
 */
export const limitCurrency = 'USD'

/** The tokens whose rates providers list. They stand for the dollar, and the rates of all others are computed from theirs. */
export const listedSymbols = ['USDC', 'USDT'] as const
export type ListedSymbol = (typeof listedSymbols)[number]

/** As requests and configurations write the symbol of a token. */
export const symbolPattern = /^[A-Z][A-Z0-9]{1,9}$/

/** A token that is accepted on a network. */
export type Token = {
  symbol: string
  /** ISO 4217 code of the currency that one token is one unit of. The same for a symbol on all networks. */
  currency: string
  name: string
  address: string
  decimals: number
  /** Where the token takes ERC-2612 permits. */
  permit: SigningDomain | null
  /**
   * How a customer pays with the token by signature: ERC-3009, or Permit2 after a one-time approval. Null:
   * not supported.
   */
  authorization: SigningDomain | 'permit2' | null
}

/**
 * What a deposit address is, as the setting `deposits` of a network names it. `forwarder`: a contract that the service
 * sweeps. `virtual` (Tempo) and `xpub` belong to the merchant: the customer's transfer is the payout.
 */
export const depositKinds = ['forwarder', 'virtual', 'xpub'] as const
export type DepositKind = (typeof depositKinds)[number]

/** What every configured chain has, whatever its family. `shortName` is its public key. */
type AnyNetwork = {
  shortName: string
  name: string
  /** Solana has no chain id: 101 for its mainnet and 103 for its devnet, as token lists number them. */
  chainId: number
  isTestnet: boolean
  /** Tried in order. Never shown: the addresses may contain keys. */
  rpcUrls: readonly string[]
  /** Blocks from a transfer's block to the head, both counted, that a transfer needs to count as paid. On Solana the number is only shown: `finalized` counts. */
  confirmations: number
  /**
   * From this amount of whole dollars on, a payment wants more confirmations, attested by two nodes where there are two. On Solana
   * the confirmations are only shown.
   */
  highValue: { amount: string; confirmations: number } | null
  /** Pause between polls of the head. */
  pollMs: number
  /**
   * What the service pays for customers who pay by signature, with a coin at `coinPrice` dollars:
   * authorizations of one payer and from one client address, and dollars of gas, each in 24 hours. Null:
   * payment by signature is off.
   */
  signatureGas: { coinPrice: string; perPayer: number; perAddress: number; dailyBudget: string } | null
  explorerUrl: string | null
  platformWallet: string
  tokens: readonly Token[]
}

export type EvmNetwork = AnyNetwork & {
  family: 'evm'
  /** Given to a customer's wallet that does not know the chain. */
  publicRpcUrls: readonly string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** The kind of the deposit addresses of new payments. */
  deposits: DepositKind
  /** False: the platform takes no share here, whatever it takes elsewhere. Only where the addresses are the merchant's. */
  platformShare?: false
  /** Depth after which a header is never read again; a deeper reorg stops the watcher. */
  finalityBlocks: number
  /**
   * How long deposits wait for their sweep because gas would eat more than `maxBps` of them, with a coin at `coinPrice` dollars.
   * Null: they never wait.
   */
  sweepGas: { maxBps: number; coinPrice: string; maxWaitHours: number } | null
  /**
   * The contract that returns the L1 data fee of a transaction, on a rollup (`GasPriceOracle` of the OP
   * Stack). Absent: no such fee.
   */
  l1FeeOracle?: string | null
  /** Of deposit addresses. */
  factory: string
  /** Of contract payments. */
  splitter: string
}

/** Tokens are mints of the classic Token program; wallets are owners, never token accounts. */
export type SolanaNetwork = AnyNetwork & {
  family: 'solana'
  /** Base58. Proves that a node is on this cluster. */
  genesisHash: string
}

/**
 * Watched by the logs of USDT, over the JSON-RPC of java-tron. Addresses and tokens are in Base58Check. Each payment has an address of the
 * merchant's own wallet, so nothing is ever sent by the service.
 */
export type TronNetwork = AnyNetwork & {
  family: 'tron'
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Depth after which a header is never read again; a deeper reorg stops the watcher. */
  finalityBlocks: number
}

/** Networks whose events and blocks have Ethereum's form. */
export type LogNetwork = EvmNetwork | TronNetwork

export type Network = EvmNetwork | SolanaNetwork | TronNetwork

/**
 * The confirmations that a payment of this amount requires; null when the network's default applies.
 * `dollarRate`: dollars for one whole token; null: not known, so that a whole token counts as one.
 */
export function highValueConfirmations(
  { highValue }: Pick<Network, 'highValue'>,
  due: BaseUnits,
  { tokenDecimals, dollarRate }: { tokenDecimals: number; dollarRate: string | null },
): number | null {
  if (highValue === null) return null
  const dollars = multiplied(due, dollarRate ?? '1')
  return dollars >= parseAmount(highValue.amount, tokenDecimals) ? highValue.confirmations : null
}

/** The tokens of all networks, each symbol once, in the order of the networks. */
export function tokensOf(networks: Iterable<Pick<Network, 'tokens'>>): Pick<Token, 'symbol' | 'currency'>[] {
  const tokens = new Map([...networks].flatMap(({ tokens }) => tokens.map((token) => [token.symbol, token] as const)))
  return [...tokens.values()].map(({ symbol, currency }) => ({ symbol, currency }))
}

/** The currency of a symbol, also of a token that is not configured any more. Undefined: nobody knows. */
export function currencyOf(networks: Networks, symbol: string): string | undefined {
  return tokensOf(networks.values()).find((token) => token.symbol === symbol)?.currency ?? knownCurrencies[symbol]
}

/** Networks by lower-case short name. */
export type Networks = ReadonlyMap<string, Network>

/** Short names are case-insensitive on the wire. */
export function findNetwork(networks: Networks, shortName: string): Network | undefined {
  return networks.get(shortName.toLowerCase())
}
