import type { ErrorCode } from '../core/error-codes.ts'
import type { DepositKind, Network, Token } from '../core/families.ts'
import type { CommonFields, DepositPayment } from '../payment/payment.ts'

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
export type DepositPlace = Pick<DepositPayment, 'depositAddress' | 'depositTerms' | 'isDirect'>

/**
 * What the addresses of a merchant are derived from on a network, and the number of the next one. A number is given
 * once, whatever becomes of its payment.
 */
export type AddressNumber = { source: string; number: number }

/** Why a text is no account. `fault` ends the sentence "wallet: …"; `code` is there where one of its parts is wrong. */
export type AccountFault = { fault: string; code?: ErrorCode }

/** What differs between the kinds of deposit address. Keeps no state and asks no node. */
export type DepositRules<N extends Network = Network> = ServiceAddresses<N> | MerchantAddresses<N>

/** Addresses that the service sweeps and refunds from: they need its key, gas and, on EVM networks, contracts. */
export type ServiceAddresses<N extends Network = Network> = {
  isDirect: false
  newDeposit(network: N, draft: DepositDraft): DepositPlace
}

/** Addresses of the merchant's own wallet: the customer's transfer is the payout, and the merchant's wallet refunds. */
export type MerchantAddresses<N extends Network = Network> = {
  isDirect: true
  kind: Exclude<DepositKind, 'forwarder'>
  /** Why no platform share can be taken. Ends the sentence "platform.feeBps must be 0: …". */
  noShareReason: string
  /** The largest number of an address, inclusive. Larger ones are never given. */
  numberMax: number
  /**
   * Reads what a merchant names instead of a wallet's address: the source with a proof that it is his.
   * `source`: as it is stored. `address`: his wallet, from which he pays refunds.
   */
  parseAccount(network: N, text: string): { source: string; address: string } | AccountFault
  /** Whether the text is a source of this kind. The network may have had another kind when the merchant named it. */
  isSource(text: string): boolean
  /** What `parseAccount` reads. Ends the sentence "… must be". */
  accountFormat: string
  /** The address of a payment, which nobody else has. */
  placeAt(network: N, at: AddressNumber): DepositPlace
  /** The address of a test payment: nobody has its key, and nothing is ever sent there. `salt`: 32 random bytes in hex. */
  testPlace(network: N, salt: string): DepositPlace
}
