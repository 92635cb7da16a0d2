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

/** Where the operator's signatures come from. */
export type OperatorSource =
  | { kind: 'key'; privateKey: string }
  /** `token`: sent as a bearer token; null where the signer wants none. */
  | { kind: 'signer'; url: string; address: string; token: string | null }

/** The keys of the configuration that pay the network fees; null where no network needs it. */
export type PayerSources = {
  operator: OperatorSource | null
  /** Accounts that were the operator before, for the refunds of deposits that name them. */
  formerOperators: readonly OperatorSource[]
  solanaFeePayerKey: Uint8Array | null
}

/** `source`: what the merchant's own deposit addresses are derived from; null where the service makes the addresses. */
export type MerchantWallet = { merchant: string; address: string; source: string | null }

/** What a merchant's own deposit addresses are derived from, and the wallet that must get their money. */
export type MerchantAccount = { source: string; address: string }

type Diagnosed = { payers: PayerSources; wallets: readonly MerchantWallet[]; nowMs: () => number }

/** A transaction that a client says pays a wallet payment. */
export type Submission = { id: PaymentId; txId: string }

/**
 * What a merchant's wallet was asked to send. `nonce`: of its transaction `txId`; both null where unknown. `deadlineMs`:
 * null where nothing ends it. `confirmations`: those of a high-value refund; null: the network's.
 */
export type WalletPrompt = {
  refundId: MerchantRefundId
  account: string
  nonce: number | null
  deadlineMs: number | null
  txId: string | null
  confirmations: number | null
}

/** A transaction that a page says its wallet has sent for a merchant refund. */
export type SentByWallet = { txId: string; account: string; isHighValue: boolean }

/** What the customer's wallet needs of a network that is watched. */
export type WalletPayments = {
  /**
   * Verifies a transaction once, and applies its transfer to the ledger.
   * @returns the payment when it is paid.
   * @throws {Refusal} saying what is missing, or the node's error.
   */
  verifySubmission(submission: Submission, signal: AbortSignal): Promise<Payment>
  /**
   * Verifies a transaction that a merchant says pays a merchant refund, and applies its transfers. The sender may be
   * any wallet. Absent where refunds cannot be verified.
   * @throws {TransactionRefused} saying why it does not pay it, or the node's error.
   */
  verifyRefund?(refund: { id: MerchantRefundId; txId: string }, signal: AbortSignal): Promise<MerchantRefund>
  /**
   * Whether the chain proves that what a wallet was asked to send for a merchant refund can no longer pay. Absent where
   * that is never proven.
   * @throws the node's error.
   */
  isPromptOver?(prompt: WalletPrompt, signal: AbortSignal): Promise<boolean>
  /**
   * The nonce of a transaction that the account has sent, in a block or waiting for one; null where no node knows it, or another account
   * signed it, such as a bundler.
   * @throws the node's error.
   */
  nonceOf?(sent: SentByWallet, signal: AbortSignal): Promise<number | null>
  /**
   * Creates the unsigned transaction by which the merchant's wallet pays a merchant refund; absent where it sends a call
   * or a transfer of its own.
   * @param account - The wallet, which pays the network's fee.
   * @returns base64.
   * @throws {PaymentError} with the reason.
   */
  refundTransaction?(refund: MerchantRefund, account: string, signal: AbortSignal): Promise<string>
  /** Payments by signature; absent where the network does not offer them. */
  authorizer?: Authorizer
  /**
   * Verifies on the chain that money for the account's deposit addresses arrives at its wallet. Absent where the
   * addresses prove it.
   * @throws {NetworkMismatchError} with the reason, or the node's error.
   */
  verifyAccount?(account: MerchantAccount, signal: AbortSignal): Promise<void>
  /** The sender of transfers that name no payment; absent where every transaction names its payment. */
  plainSender?(address: string, signal: AbortSignal): Promise<PlainSender>
  /**
   * Creates the unsigned transaction that a wallet requests; absent where wallets get a contract call.
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

/** Checks and reads of a network for commands, through its one node pool. Only the last two throw. */
export type Inspection = {
  /** Compares nodes and tokens with the configuration. */
  verifyNetwork(signal: AbortSignal): Promise<Fault | undefined>
  /** The same for the contract of wallet payments. */
  verifyContracts(signal: AbortSignal): Promise<Fault | undefined>
  /** Everything that `doctor` says of the network. */
  diagnose(diagnosed: Diagnosed): Promise<Finding[]>
  /** Reads the movements at payment addresses, independently of the watcher's data. @throws the node's error. */
  readMovements(request: MovementsRequest, signal: AbortSignal): Promise<MovementReader>
  /**
   * Whether a wallet has signed a text, as wallets sign messages for people.
   * @throws the node's error, where only a node knows and none answers.
   */
  isSignedBy(signed: { address: string; message: string; signature: string }, signal: AbortSignal): Promise<boolean>
}

/** Addresses of one reading: on Tron each costs a call. */
export const heldMax = 50

/** A configured network with its one pool of RPC nodes, and everything that uses it. */
export type Chain = Inspection & {
  readonly network: Network
  readonly walletPayments: WalletPayments
  /** Current state of its nodes, in their order. Makes no call. */
  nodeStates(): NodeState[]
  /**
   * What lies on addresses of the merchants' own wallets at the newest block, of each configured token in its order;
   * absent where payments never have such an address.
   * @param addresses - At most `heldMax`.
   * @throws the node's error.
   */
  readHoldings?(addresses: readonly string[], signal: AbortSignal): Promise<bigint[][]>
  /**
   * The wallet that the chain credits for addresses of the source, null while none is registered; absent where wallets are not registered.
   * @throws {NetworkMismatchError} when the chain has no registry; the node's error.
   */
  readMaster?(source: string, signal: AbortSignal): Promise<string | null>
  /** Loads the stored state. */
  resume(): Promise<void>
  /**
   * Watches the chain and sends payouts until the signal, from what is stored: nothing in memory is older than the call. Never rejects.
   * @param stores - What all of it is written with.
   */
  run(stores: Stores, signal: AbortSignal): Promise<void>
}

/** The database, and the ledger that writes to it. */
type Stores = { db: Db; ledger: Ledger }

/** What every network is connected with. */
export type ConnectorDeps = Stores & {
  networks: Networks
  heads: Heads
  /** Faults that a watcher finds are reported here. */
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

/** What one chain family connects its networks by. @typeParam Signers - What signs its payouts. */
export type ChainConnector<N extends Network, Signers> = {
  /** Opens a network for commands. Makes no call yet. */
  inspect(network: N, deps: PoolDeps): Inspection
  /** @returns what connects the networks of the family: some of its state is one for all of them. */
  open(deps: ConnectorDeps, signers: Signers): { connect(network: N): Chain }
}
