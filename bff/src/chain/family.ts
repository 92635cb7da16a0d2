import type { Network, Networks, Token } from '../core/families.ts'
import type { Finding } from '../core/finding.ts'
import type { Log } from '../core/log.ts'
import type { BaseUnits } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { Heads } from '../network/heads.ts'
import type { Fault, NetworkHealth } from '../network/network-health.ts'
import type { NodeState } from '../network/node-state.ts'
import type { Ledger } from '../payment/ledger.ts'
import type {
  CommonFields,
  ContractPayment,
  DepositPayment,
  Payment,
  PaymentId,
  PlainSender,
} from '../payment/payment.ts'
import type { Authorizer } from './authorization.ts'
import type { OperatorSource } from './evm/signer/operator.ts'
import type { Signer } from './evm/signer/signer.ts'
import type { ContractCall } from './evm/split/contract-call.ts'
import type { MovementReader, MovementsRequest } from './movements.ts'
import type { ObserveCall, PoolDeps } from './rpc-pool.ts'
import type { SolanaSigner } from './solana/signer/solana-signer.ts'

export type { ContractCall }

/** EIP-712 typed data. Null in the message: known to the client alone. */
type PaymentTypedData = {
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  domain: { name: string; version?: string; chainId: number; verifyingContract: string }
  message: Record<string, string | null | Record<string, string>>
}

export type ChainFamilyName = Network['family']

/** The keys of the configuration that pay the network fees; null where no network needs it. */
export type PayerSources = {
  operator: OperatorSource | null
  /** Accounts that were the operator before, for the refunds of deposits that name them. */
  formerOperators: readonly OperatorSource[]
  solanaFeePayerKey: Uint8Array | null
}

/** The key that pays a family's network fees, as the environment and the secrets file name it. */
export type PayerKey = {
  variable: 'OPERATOR_PRIVATE_KEY' | 'SOLANA_FEE_PAYER_KEY'
  create(runtime: Runtime): string
  /** Undefined when the text is not such a key. */
  addressOf(text: string): string | undefined
  /** Ends the sentence "… must be". */
  format: string
}

/** What the terms of a new deposit are made of. */
export type DepositDraft = {
  token: Token
  merchantWallet: string
  common: CommonFields
  feeBps: number
  /** 32 random bytes in hex: every deposit has an address of its own. */
  salt: string
  /** Address that may refund what exceeds a payment; it can never take a paid payment's money. Null: no EVM network is configured. */
  operator: string | null
  /** The address derived from the terms; null: no Solana network is configured. */
  solanaOwner: ((terms: string) => string) | null
}

/** Where a deposit is paid, and what the address is made of: whatever happens to the row, the address proves the terms. */
export type DepositPlace = Pick<DepositPayment, 'depositAddress' | 'depositTerms'>

export type WalletPaymentDraft = {
  merchantWallet: string
  common: CommonFields
  feeBps: number
  plainSender: PlainSender | null
}

/** What a wallet payment is paid by, as clients read it. Null where the family has no contract, or no chain id. */
export type WalletPaymentTerms = {
  splitter: string | null
  paymentId: string
  merchant: string
  platform: string
  feeBps: number
  chainId: number | null
  token: string
}

export type MerchantWallet = { merchant: string; address: string }

type Diagnosed = { payers: PayerSources; wallets: readonly MerchantWallet[]; nowMs: () => number }

/** A transaction that a client says pays a wallet payment. */
export type Submission = { id: PaymentId; txId: string }

/** What the customer's wallet needs of a network that is watched. */
export type WalletPayments = {
  /**
   * Verifies a transaction once, and hands the ledger what it moved.
   * @returns the payment when it is paid.
   * @throws {Refusal} saying what is missing, or the node's error.
   */
  verifySubmission(submission: Submission, signal: AbortSignal): Promise<Payment>
  /** Payments by signature; absent where the network does not offer them. */
  authorizer?: Authorizer
  /** The sender of transfers that name no payment; absent where every transaction names its payment. */
  plainSender?(address: string, signal: AbortSignal): Promise<PlainSender>
  /**
   * Makes the unsigned transaction that a wallet asks for; absent where wallets are handed a contract call.
   * @param account - The customer's wallet, which pays the network's fee.
   * @returns base64, and a sentence for the customer.
   * @throws {PaymentError} when there is nothing (more) to pay.
   */
  requestedTransaction?(
    payment: ContractPayment | DepositPayment,
    account: string,
    signal: AbortSignal,
  ): Promise<{ transaction: string; message: string }>
}

/** What asks the nodes of a network for commands, through the network's one pool. Only `readMovements` throws. */
export type Inspection = {
  /** Compares nodes and tokens with the configuration. */
  verifyNetwork(signal: AbortSignal): Promise<Fault | undefined>
  /** The same for the contract of wallet payments. */
  verifyContracts(signal: AbortSignal): Promise<Fault | undefined>
  /** Everything that `doctor` says of the network. */
  diagnose(diagnosed: Diagnosed): Promise<Finding[]>
  /** Reads what moved at the addresses of payments, apart from what the watcher stored. @throws the node's error. */
  readMovements(request: MovementsRequest, signal: AbortSignal): Promise<MovementReader>
}

/** A configured network with its one pool of RPC nodes, and everything that asks them. */
export type Chain = Inspection & {
  readonly network: Network
  readonly walletPayments: WalletPayments
  /**
   * Whether a wallet has signed a text, as wallets sign messages for people.
   * @throws the node's error, where only a node knows and none answers.
   */
  isSignedBy(signed: { address: string; message: string; signature: string }, signal: AbortSignal): Promise<boolean>
  /** How its nodes are now, in their order. Asks none. */
  nodeStates(): NodeState[]
  /** Loads what was stored at the last stop. */
  resume(): Promise<void>
  /**
   * Watches the chain and sends payouts until the signal, from what is stored: nothing in memory is older than the call. Never rejects.
   * @param stores - What all of it is written with.
   */
  run(stores: Stores, signal: AbortSignal): Promise<void>
}

/** The database, and the ledger that writes to it. */
type Stores = { db: Db; ledger: Ledger }

/** Null where no network of the family is configured. */
export type Signers = { operator: Signer | null; formerOperators: readonly Signer[]; solana: SolanaSigner | null }

export type ChainDeps = Stores & {
  networks: Networks
  heads: Heads
  /** Faults that a watcher finds are reported here. */
  health: NetworkHealth & { report(network: Network, fault: Fault | undefined): void }
  gasBalances: GasBalances
  signers: Signers
  lenientClients: boolean
  runtime: Runtime
  log: Log
  /** Called after each call to a node, for the metrics. */
  observe?: ObserveCall
  /** Called after each pass of a watcher, for the metrics. */
  passed?: (network: string, isWell: boolean) => void
}

/** What one chain family answers about its networks. Nothing here keeps state; only an inspection asks nodes. */
export type ChainFamily<N extends Network = Network> = {
  /** The address as the network writes it, undefined when the text is not an address. */
  parseAddress(text: string): string | undefined
  /** Whether a text has the form of an address, where nothing is sent to it: a wrong checksum passes. */
  hasAddressForm(text: string): boolean
  /** Ends the sentence "… must be an address:". */
  addressFormat: string
  /** What `init` says of a wallet when it asks for one. */
  walletHint: string
  isSameAddress(one: string, other: string): boolean
  /** The address that nobody has the key of and that money is sent to by mistake. */
  zeroAddress: string
  /** @param network - Undefined: only contracts that are the same on every network. */
  isContractOfOurs(address: string, network?: N): boolean
  /** The transaction id as the network writes it, undefined when the text is not one. */
  parseTxId(text: string): string | undefined
  /** Ends the sentence "… must be". */
  txIdFormat: string

  payerKey: PayerKey
  /** The coin that pays network fees. */
  coinOf(network: N): { symbol: string; decimals: number }
  /** What is known of the speed and the fees of a network, undefined when nothing is. */
  paceOf(network: Pick<N, 'chainId'>): { blockSeconds: number; fee: 'low' | 'high' } | undefined
  /** A file of `logos/networks`, for networks that are not known by their chain id. */
  logo: 'other' | 'solana'
  /** Faults that the schema of one network cannot see. */
  configFaults(network: N): string[]
  /** The network's name in CAIP-2, such as `eip155:8453`. */
  caip2(network: N): string
  /** The chain id that a wallet is asked to change to; null where wallets know none. */
  walletChainId(network: N): number | null

  /** Whether contracts of ours must be deployed on the networks. */
  hasContracts: boolean
  /** A platform wallet that `init` is given without a network is that of all networks of the family. */
  sharesPlatformWallet: boolean
  /** Whether a relay from other chains delivers to deposit addresses. */
  receivesBridged: boolean
  /** The merchant sends late money back by naming an address. Otherwise only the payer can be paid back. */
  returnsLateMoney: boolean

  newDeposit(network: N, draft: DepositDraft): DepositPlace
  /** The platform's fee of a stored deposit. */
  depositFeeBps(depositTerms: string): number
  /** A request for an amount to a deposit address, as wallets read it from a link or a QR code. */
  depositUri(network: N, payment: DepositPayment, amount: BaseUnits): string

  newWalletPayment(network: N, draft: WalletPaymentDraft): ContractPayment
  walletTermsOf(payment: ContractPayment): WalletPaymentTerms
  /** The link by which a wallet asks for its transaction; null where wallets are handed a contract call. */
  walletUri(payment: ContractPayment, publicUrl: string): string | null
  /** What a wallet sends for a payment; undefined where it asks for a transaction instead. */
  contractCall(network: N, payment: ContractPayment): ContractCall | undefined
  /** What a wallet signs so that the service sends the transaction and pays its gas; undefined where that is not offered. */
  paymentTypedData(network: N, payment: Payment): PaymentTypedData | undefined
  /** Whether a wallet may sign a transaction of the payment that the service pays the fee of. */
  isSponsored(network: N, payment: Payment): boolean
  /** The contract that takes wallet payments; null where the family needs none. */
  walletContract(network: N): { address: string; abi: readonly object[] } | null

  /** What commands ask of a network: its pool of RPC nodes is opened, and nothing is asked yet. */
  inspect(network: N, deps: PoolDeps): Inspection
  /** @returns what connects the networks of the family: some of its state is one for all of them. */
  connector(deps: ChainDeps): { connect(network: N): Chain }
}
