import { knownCurrencies } from './known-currencies.ts'
import { type BaseUnits, multiplied, parseAmount } from './money.ts'

/** The EIP-712 domain of a token's typed data, beside its chain and address. */
export type SigningDomain = { name: string; version: string }

/**
 * The currency of limits and of coin prices. Tokens of other currencies are converted at the rate from the payment's
 * creation.
 */
export const limitCurrency = 'USD'

/** The tokens whose rates providers list. They stand for the dollar; rates of all other tokens are computed from theirs. */
export const listedSymbols = ['USDC', 'USDT'] as const
export type ListedSymbol = (typeof listedSymbols)[number]

/** A token's symbol in requests and configurations. */
export const symbolPattern = /^[A-Z][A-Z0-9]{1,9}$/

/** A token that is accepted on a network. */
export type Token = {
  symbol: string
  /** The ISO 4217 currency of which one token is one unit. The same for a symbol on all networks. */
  currency: string
  name: string
  address: string
  decimals: number
  /** The domain for ERC-2612 permits; null: the token takes none. */
  permit: SigningDomain | null
  /**
   * How a customer pays with the token by signature: ERC-3009, or Permit2 after a one-time approval. Null:
   * not supported.
   */
  authorization: SigningDomain | 'permit2' | null
}

/**
 * The kinds of deposit addresses, for a network's setting `deposits`. `forwarder`: a contract that the service sweeps.
 * `virtual` (Tempo) and `xpub`: the merchant's own address, so the customer's transfer is the payout.
 */
export const depositKinds = ['forwarder', 'virtual', 'xpub'] as const
export type DepositKind = (typeof depositKinds)[number]

/** The settings of every configured network. `shortName` is its public key. */
type AnyNetwork = {
  shortName: string
  name: string
  /** Solana has no chain ids: 101 for mainnet and 103 for devnet, as token lists number them. */
  chainId: number
  isTestnet: boolean
  /** Tried in order. Never shown, because the URLs may contain keys. */
  rpcUrls: readonly string[]
  /** Head − block + 1 at which a transfer counts as paid. Only displayed on Solana, where `finalized` decides. */
  confirmations: number
  /**
   * From this amount of whole dollars on, a payment needs more confirmations, attested by two nodes if there are two. The
   * confirmations are only displayed on Solana.
   */
  highValue: { amount: string; confirmations: number } | null
  /** Pause between polls of the head. */
  pollMs: number
  /**
   * Limits of the gas that the service pays for payments by signature, with a coin at `coinPrice` dollars: authorizations of one
   * payer, authorizations from one client address, and dollars of gas, each in 24 hours. Null: payment by signature is off.
   */
  signatureGas: { coinPrice: string; perPayer: number; perAddress: number; dailyBudget: string } | null
  explorerUrl: string | null
  platformWallet: string
  tokens: readonly Token[]
}

export type EvmNetwork = AnyNetwork & {
  family: 'evm'
  /** Given to customers' wallets that do not know the chain. */
  publicRpcUrls: readonly string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** The kind of deposit address for new payments. */
  deposits: DepositKind
  /** False: the platform takes no share on this network. Allowed only where deposit addresses belong to the merchant. */
  platformShare?: false
  /** Depth after which a header is never read again; a deeper reorg stops the watcher. */
  finalityBlocks: number
  /**
   * How long deposits wait for their sweep while gas would cost more than `maxBps` of them, with a coin at `coinPrice` dollars.
   * Null: they never wait.
   */
  sweepGas: { maxBps: number; coinPrice: string; maxWaitHours: number } | null
  /** A rollup's contract that returns a transaction's L1 data fee (`GasPriceOracle` of the OP Stack). Absent: no such fee. */
  l1FeeOracle?: string | null
  /** The factory of deposit addresses. */
  factory: string
  /** The splitter of contract payments. */
  splitter: string
}

/** Tokens are mints of the classic Token program; wallets are owners, never token accounts. */
export type SolanaNetwork = AnyNetwork & {
  family: 'solana'
  /** Base58. Proves that a node is on this cluster. */
  genesisHash: string
}

/**
 * Watched through USDT's logs over java-tron's JSON-RPC. Addresses and tokens are in Base58Check. Each payment has an address of the
 * merchant's own wallet, so the service never sends anything.
 */
export type TronNetwork = AnyNetwork & {
  family: 'tron'
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Depth after which a header is never read again; a deeper reorg stops the watcher. */
  finalityBlocks: number
  /** False: the platform takes no share on this network. */
  platformShare?: false
}

/** Networks whose logs and blocks have Ethereum's form. */
export type LogNetwork = EvmNetwork | TronNetwork

export type Network = EvmNetwork | SolanaNetwork | TronNetwork

/**
 * The confirmations that a payment of this amount requires; null when the network's default applies.
 * `dollarRate`: dollars for one whole token; null: unknown, and a whole token counts as one dollar.
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

/** The currency of a symbol, including known tokens that are no longer configured. Undefined when it is unknown. */
export function currencyOf(networks: Networks, symbol: string): string | undefined {
  return tokensOf(networks.values()).find((token) => token.symbol === symbol)?.currency ?? knownCurrencies[symbol]
}

/** Networks by lower-case short name. */
export type Networks = ReadonlyMap<string, Network>

/** Short names are case-insensitive on the wire. */
export function findNetwork(networks: Networks, shortName: string): Network | undefined {
  return networks.get(shortName.toLowerCase())
}
