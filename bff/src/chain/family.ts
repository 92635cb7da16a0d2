import type { Network } from '../core/families.ts'
import type { BaseUnits } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { MerchantRefund, RefundPlace } from '../payment/merchant-refund.ts'
import type { CommonFields, ContractPayment, DepositPayment, Payment, PlainSender } from '../payment/payment.ts'
import type { DepositRules } from './deposit-kind.ts'

/** EIP-712 typed data. Values of the message that only the client knows are null. */
type PaymentTypedData = {
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  domain: { name: string; version?: string; chainId: number; verifyingContract: string }
  message: Record<string, string | null | Record<string, string>>
}

export type ChainFamilyName = Network['family']

/** The key that pays a family's network fees, as named in the environment and the secrets file. */
export type PayerKey = {
  variable: 'OPERATOR_PRIVATE_KEY' | 'SOLANA_FEE_PAYER_KEY'
  create(runtime: Runtime): string
  /** Undefined for any other text. */
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

/** A wallet payment's terms, as clients read them. Null where the family has no contract, or no chain id. */
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

/** A call with a signature; the client writes it over the zeros at `signatureOffset`. */
type SignedCall = { functionName: string; deadline: string; data: string; signatureOffset: number; typedData: object }

/** A chain as `wallet_addEthereumChain` expects it. */
export type WalletChain = {
  chainId: number
  name: string
  rpcUrls: readonly string[]
  nativeCurrency: { name: string; symbol: string; decimals: number }
  explorerUrl: string | null
}

/**
 * The customer's calls for a payment, in every form that the contract accepts. Amounts in decimal base units, times in Unix
 * seconds.
 */
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

/** A chain family's facts about its networks. Keeps no state and calls no node; see `connector.ts` for those. */
export type ChainFamily<N extends Network = Network> = {
  /** The address as the network writes it; undefined for any other text. */
  parseAddress(text: string): string | undefined
  /** Whether a text has the form of an address, for uses that send nothing to it: accepts a wrong checksum. */
  hasAddressForm(text: string): boolean
  /** Ends the sentence "… must be an address:". */
  addressFormat: string
  /** The hint with which `init` asks for a wallet. */
  walletHint: string
  isSameAddress(one: string, other: string): boolean
  /** The burn address, to which money is sent by mistake. */
  zeroAddress: string
  /** @param network - Undefined: checks only contracts that are the same on every network. */
  isContractOfOurs(address: string, network?: N): boolean
  /** The transaction id as the network writes it; undefined for any other text. */
  parseTxId(text: string): string | undefined
  /** Ends the sentence "… must be". */
  txIdFormat: string

  /** Null if the service never sends a transaction. */
  payerKey: PayerKey | null
  /** The coin that pays network fees. */
  coinOf(network: N): { symbol: string; decimals: number }
  /** Whether network fees are paid in that coin. Otherwise they are paid in the transferred token, and nobody needs a coin. */
  hasCoin(network: N): boolean
  /** A network's known speed and fees; undefined if unknown. */
  paceOf(network: Pick<N, 'chainId'>): { blockSeconds: number; fee: 'low' | 'high' } | undefined
  /** A file of `logos/networks`, for networks without a known chain id. */
  logo: 'other' | 'solana'
  /** Faults that the schema of one network cannot detect. */
  configFaults(network: N): string[]
  /** The network's name in CAIP-2, such as `eip155:8453`. */
  caip2(network: N): string
  /** The chain id to which a wallet is asked to switch; null where wallets have none. */
  walletChainId(network: N): number | null

  /** Whether the service's contracts must be deployed on the networks. */
  hasContracts: boolean
  /** Whether a platform wallet given to `init` without a network applies to all networks of the family. */
  sharesPlatformWallet: boolean
  /** Whether a relay from other chains delivers to deposit addresses. */
  receivesBridged: boolean
  /** Whether the merchant can return late money to any named address. Otherwise it can go back only to the payer. */
  returnsLateMoney: boolean

  /** The rules of the network's kind of deposit address. */
  depositsOf(network: N): DepositRules<N>
  /** The platform's fee in the terms of a deposit that the service sweeps. */
  depositFeeBps(depositTerms: string): number
  /** A payment request for a deposit address, as wallets read it from a link or QR code. */
  depositUri(network: N, payment: DepositPayment, amount: BaseUnits): string

  newWalletPayment(network: N, draft: WalletPaymentDraft): ContractPayment
  walletTermsOf(payment: ContractPayment): WalletPaymentTerms
  /** The link with which a wallet requests its transaction; null where wallets get a contract call. */
  walletUri(payment: ContractPayment, publicUrl: string): string | null
  /** The call that a wallet sends for a payment; undefined where it requests a transaction instead. */
  contractCall(network: N, payment: ContractPayment): ContractCall | undefined
  /** The data that a wallet signs so that the service sends the transaction and pays its gas; undefined where not offered. */
  paymentTypedData(network: N, payment: Payment): PaymentTypedData | undefined
  /** Whether a wallet may sign a transaction for the payment whose fee the service pays. */
  isSponsored(network: N, payment: Payment): boolean
  /** Where a merchant refund is paid, and what identifies its transaction. @param address - In the form of `parseAddress`. */
  refundPlace(network: N, refund: MerchantRefund, address: string): RefundPlace
  /** The call with which the merchant's wallet pays a merchant refund; undefined where it uses a transfer. */
  refundCall(network: N, refund: MerchantRefund, nowMs: number): ContractCall | undefined
  /**
   * How a browser wallet can pay a merchant refund other than with `refundCall`: a transfer, which names no refund, or a
   * transaction that the service builds. Null if neither is possible.
   */
  refundWallet(network: N): { by: 'transfer' | 'transaction'; chain: WalletChain | null } | null
  /**
   * A transfer request, as wallets read it from a link or QR code. `reference`: identifies the transaction, where the request's
   * form supports it.
   */
  transferUri(
    network: N,
    transfer: { tokenAddress: string; tokenDecimals: number; address: string; reference?: string | null },
    amount: BaseUnits,
  ): string
  /** The contract for wallet payments; null where the family needs none. */
  walletContract(network: N): { address: string; abi: readonly object[] } | null
}
