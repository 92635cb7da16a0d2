import type { Network } from '../core/families.ts'
import type { BaseUnits } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { MerchantRefund, RefundPlace } from '../payment/merchant-refund.ts'
import type { CommonFields, ContractPayment, DepositPayment, Payment, PlainSender } from '../payment/payment.ts'
import type { DepositRules } from './deposit-kind.ts'

/** EIP-712 typed data. Null in the message: known to the client alone. */
type PaymentTypedData = {
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  domain: { name: string; version?: string; chainId: number; verifyingContract: string }
  message: Record<string, string | null | Record<string, string>>
}

export type ChainFamilyName = Network['family']

/** The key that pays a family's network fees, as the environment and the secrets file name it. */
export type PayerKey = {
  variable: 'OPERATOR_PRIVATE_KEY' | 'SOLANA_FEE_PAYER_KEY'
  create(runtime: Runtime): string
  /** Undefined when the text is not such a key. */
  addressOf(text: string): string | undefined
  /** Ends the sentence "… must be". */
  format: string
}

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

type SplitParams = {
  token: string
  amount: string
  paymentId: string
  recipient1: string
  recipient2: string
  recipient3: string
  recipient1Percentage: number
  recipient2Percentage: number
  recipient3Percentage: number
}

/** A call that carries a signature, which the client puts in where zeros stand. */
type SignedCall = { functionName: string; deadline: string; data: string; signatureOffset: number; typedData: object }

/** A chain as `wallet_addEthereumChain` expects it. */
export type WalletChain = {
  chainId: number
  name: string
  rpcUrls: readonly string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/** What the customer's wallet sends for a payment, in every form that the contract takes. Amounts are decimal base units, times unix seconds. */
export type ContractCall = {
  contractAddress: string
  functionName: string
  tokenAddress: string
  approvalAmount: string
  approvalRequired: boolean
  params: SplitParams
  chainId: number
  abi: readonly object[]
  data: string
  value: '0x0'
  before: { functionName: string; params: SplitParams; deadline: string; data: string }
  permit?: SignedCall
  authorization?: SignedCall & { payerOffset: number }
  approval: { to: string; data: string; resetData: string; requiresReset: boolean }
  chain: WalletChain
}

/** Facts of one chain family about its networks. Keeps no state and asks no node; see `connector.ts`. */
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
  /** The burn address, to which money is sent by mistake. */
  zeroAddress: string
  /** @param network - Undefined: only contracts that are the same on every network. */
  isContractOfOurs(address: string, network?: N): boolean
  /** The transaction id as the network writes it, undefined when the text is not one. */
  parseTxId(text: string): string | undefined
  /** Ends the sentence "… must be". */
  txIdFormat: string

  /** Null where the service never sends a transaction. */
  payerKey: PayerKey | null
  /** The coin that pays network fees. */
  coinOf(network: N): { symbol: string; decimals: number }
  /** Whether network fees are paid in that coin. Otherwise they are paid in the token that is sent, and nobody needs a coin. */
  hasCoin(network: N): boolean
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

  /** The rules of the network's kind of deposit address. */
  depositsOf(network: N): DepositRules<N>
  /** The platform's fee of a stored deposit that the service sweeps. */
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
  /** Where a merchant refund is paid to, and what its transaction is known by. @param address - In the form of `parseAddress`. */
  refundPlace(network: N, refund: MerchantRefund, address: string): RefundPlace
  /** What the merchant's wallet sends to pay a merchant refund; undefined where it pays by a transfer. */
  refundCall(network: N, refund: MerchantRefund, nowMs: number): ContractCall | undefined
  /**
   * What else than a call of `refundCall` pays a merchant refund from a wallet in the browser: a transfer, which names no
   * refund, or a transaction that the service makes. Null where no such wallet can pay.
   */
  refundWallet(network: N): { by: 'transfer' | 'transaction'; chain: WalletChain | null } | null
  /**
   * A request for a transfer, as wallets read it from a link or a QR code. `reference`: what the transaction is known
   * by, where the form of the request has a place for it.
   */
  transferUri(
    network: N,
    transfer: { tokenAddress: string; tokenDecimals: number; address: string; reference?: string | null },
    amount: BaseUnits,
  ): string
  /** The contract that takes wallet payments; null where the family needs none. */
  walletContract(network: N): { address: string; abi: readonly object[] } | null
}
