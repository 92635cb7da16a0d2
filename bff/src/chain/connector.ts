import type { Network, Networks } from '../core/families.ts'
import type { Finding } from '../core/finding.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { Heads } from '../network/heads.ts'
import type { Fault, NetworkHealth } from '../network/network-health.ts'
import type { NodeState } from '../network/node-state.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { MerchantRefund, MerchantRefundId } from '../payment/merchant-refund.ts'
import type { ContractPayment, DepositPayment, Payment, PaymentId, PlainSender } from '../payment/payment.ts'
import type { Authorizer } from './authorization.ts'
import type { MovementReader, MovementsRequest } from './movements.ts'
import type { ObserveCall, PoolDeps } from './rpc-pool.ts'

/** Source of the operator's signatures. */
export type OperatorSource =
  | { kind: 'key'; privateKey: string }
  /** `token`: sent as a bearer token; null if the signer needs none. */
  | { kind: 'signer'; url: string; address: string; token: string | null }

/** Configured keys that pay network fees; null where no network needs one. */
export type PayerSources = {
  operator: OperatorSource | null
  /** Former operator accounts, for refunds of deposits whose terms name them. */
  formerOperators: readonly OperatorSource[]
  solanaFeePayerKey: Uint8Array | null
}

/** `source`: what the merchant's own deposit addresses are derived from; null where the service makes the addresses. */
export type MerchantWallet = { merchant: string; address: string; source: string | null }

/** What a merchant's own deposit addresses are derived from, and the wallet that must receive their money. */
export type MerchantAccount = { source: string; address: string }

type Diagnosed = { payers: PayerSources; wallets: readonly MerchantWallet[]; nowMs: () => number }

/** A transaction that, according to a client, pays a wallet payment. */
export type Submission = { id: PaymentId; txId: string }

/**
 * What a merchant's wallet was asked to send, at `askedAtMs`. `nonce`: of its transaction `txId`; both are null if unknown.
 * `deadlineMs`: null if it never expires. `confirmations`: required for a high-value refund; null for the network's default.
 */
export type WalletPrompt = {
  refundId: MerchantRefundId
  account: string
  nonce: number | null
  deadlineMs: number | null
  txId: string | null
  askedAtMs: number
  confirmations: number | null
}

/** A transaction that, according to a page, its wallet has sent for a merchant refund. */
export type SentByWallet = { txId: string; account: string; isHighValue: boolean }

/** Operations for wallets on a watched network. */
export type WalletPayments = {
  /**
   * Verifies a transaction once, and applies its transfer to the ledger.
   * @returns the paid payment.
   * @throws {Refusal} saying what is missing, or the node's error.
   */
  verifySubmission(submission: Submission, signal: AbortSignal): Promise<Payment>
  /**
   * Verifies a transaction that, according to a merchant, pays a merchant refund, and applies its transfers. Any wallet may be the
   * sender. Absent where refunds cannot be verified.
   * @throws {TransactionRefused} with the reason, or the node's error.
   */
  verifyRefund?(refund: { id: MerchantRefundId; txId: string }, signal: AbortSignal): Promise<MerchantRefund>
  /**
   * Whether the chain proves that the prompted transaction for a merchant refund can no longer pay. Absent where this cannot be
   * proven.
   * @throws the node's error.
   */
  isPromptOver?(prompt: WalletPrompt, signal: AbortSignal): Promise<boolean>
  /**
   * The nonce of a transaction that the account has sent, mined or pending; null if no node knows it, or if another account, such
   * as a bundler, signed it.
   * @throws the node's error.
   */
  nonceOf?(sent: SentByWallet, signal: AbortSignal): Promise<number | null>
  /**
   * Creates the unsigned transaction with which the merchant's wallet pays a merchant refund. Absent where the wallet builds its
   * own call or transfer.
   * @param account - The wallet, which pays the network's fee.
   * @returns base64.
   * @throws {PaymentError} with the reason.
   */
  refundTransaction?(refund: MerchantRefund, account: string, signal: AbortSignal): Promise<string>
  /** Payments by signature; absent where the network does not offer them. */
  authorizer?: Authorizer
  /**
   * Verifies on chain that money for the account's deposit addresses arrives at its wallet. Absent where the addresses prove it.
   * @throws {NetworkMismatchError} with the reason, or the node's error.
   */
  verifyAccount?(account: MerchantAccount, signal: AbortSignal): Promise<void>
  /** The sender of transfers that name no payment. Absent where every transaction names its payment. */
  plainSender?(address: string, signal: AbortSignal): Promise<PlainSender>
  /**
   * Creates the unsigned transaction that a wallet requests. Absent where wallets get a contract call.
   * @param account - The customer's wallet, which pays the network's fee.
   * @returns base64, and a sentence for the customer.
   * @throws {PaymentError} when nothing is left to pay.
   */
  requestedTransaction?(
    payment: ContractPayment | DepositPayment,
    account: string,
    signal: AbortSignal,
  ): Promise<{ transaction: string; message: string }>
}

/** Checks and reads of a network for commands, through its one node pool. Only the last two throw. */
export type Inspection = {
  /** Compares the nodes' chain and tokens with the configuration. */
  verifyNetwork(signal: AbortSignal): Promise<Fault | undefined>
  /** Compares the contract of wallet payments with the configuration. */
  verifyContracts(signal: AbortSignal): Promise<Fault | undefined>
  /** All findings of `doctor` about the network. */
  diagnose(diagnosed: Diagnosed): Promise<Finding[]>
  /** Reads movements at payment addresses, independently of the watcher's data. @throws the node's error. */
  readMovements(request: MovementsRequest, signal: AbortSignal): Promise<MovementReader>
  /**
   * Whether a wallet has signed a text as a personal message.
   * @throws the node's error, if only a node can tell and none responds.
   */
  isSignedBy(signed: { address: string; message: string; signature: string }, signal: AbortSignal): Promise<boolean>
}

/** Addresses per read: on Tron each costs a call. */
export const heldMax = 50

/** A configured network with its one pool of RPC nodes, and everything that uses it. */
export type Chain = Inspection & {
  readonly network: Network
  readonly walletPayments: WalletPayments
  /** Current state of its nodes, in configured order. Makes no call. */
  nodeStates(): NodeState[]
  /** Calls each of its nodes that is not paused, so that their states are true also of those that do no work. Never rejects. */
  probeNodes(): Promise<void>
  /**
   * Balances at merchants' own addresses in the newest block, for each configured token in order. Absent where payments never
   * have such an address.
   * @param addresses - At most `heldMax`.
   * @throws the node's error.
   */
  readHoldings?(addresses: readonly string[], signal: AbortSignal): Promise<bigint[][]>
  /**
   * The wallet that the chain credits for addresses of the source; null if none is registered. Absent where wallets are not
   * registered.
   * @throws {NetworkMismatchError} when the chain has no registry; or the node's error.
   */
  readMaster?(source: string, signal: AbortSignal): Promise<string | null>
  /** Loads the stored state. */
  resume(): Promise<void>
  /**
   * Watches the chain and sends payouts until aborted, starting from stored state only: nothing in memory survives a call. Never
   * rejects.
   * @param stores - Used for all writes.
   */
  run(stores: Stores, signal: AbortSignal): Promise<void>
}

/** The database, and the ledger that writes to it. */
type Stores = { db: Db; ledger: Ledger }

/** Shared by all networks. */
export type ConnectorDeps = Stores & {
  networks: Networks
  heads: Heads
  /** Receives faults that a watcher finds. */
  health: NetworkHealth & { report(network: Network, fault: Fault | undefined): void }
  gasBalances: GasBalances
  lenientClients: boolean
  runtime: Runtime
  log: Log
  /** Called after each call to a node, for the metrics. */
  observe?: ObserveCall
  /** Called after each pass of a watcher, for the metrics. */
  passed?: (network: string, isWell: boolean) => void
}

/** How a chain family connects its networks. @typeParam Signers - What signs its payouts. */
export type ChainConnector<N extends Network, Signers> = {
  /** Opens a network for commands. Makes no call yet. */
  inspect(network: N, deps: PoolDeps): Inspection
  /** @returns the connector of the family's networks, which share some state. */
  open(deps: ConnectorDeps, signers: Signers): { connect(network: N): Chain }
}
