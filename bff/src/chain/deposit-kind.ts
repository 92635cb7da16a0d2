import type { ErrorCode } from '../core/error-codes.ts'
import type { DepositKind, Network, Token } from '../core/families.ts'
import type { CommonFields, DepositPayment } from '../payment/payment.ts'

/** Inputs of a new deposit's terms. */
export type DepositDraft = {
  token: Token
  merchantWallet: string
  common: CommonFields
  feeBps: number
  /** 32 random bytes in hex: every deposit has an address of its own. */
  salt: string
  /**
   * Address that may refund the excess of a payment; it can never take a paid payment's money. Null: no EVM network is
   * configured.
   */
  operator: string | null
  /** Derives the address from the terms; null: no Solana network is configured. */
  solanaOwner: ((terms: string) => string) | null
}

/** Where a deposit is paid, and the inputs of the address: even without the row, the address proves the terms. */
export type DepositPlace = Pick<DepositPayment, 'depositAddress' | 'depositTerms' | 'isDirect'>

/** What a merchant's addresses on a network are derived from, and the number of the next one. A number is never reused. */
export type AddressNumber = { source: string; number: number }

/** Why a text is not an account. `fault` ends the sentence "wallet: …"; `code` is set if one of its parts is wrong. */
export type AccountFault = { fault: string; code?: ErrorCode }

/** What differs between kinds of deposit address. Keeps no state and calls no node. */
export type DepositRules<N extends Network = Network> = ServiceAddresses<N> | MerchantAddresses<N>

/** Addresses that the service sweeps and refunds: they need its key, gas and, on EVM networks, contracts. */
export type ServiceAddresses<N extends Network = Network> = {
  isDirect: false
  newDeposit(network: N, draft: DepositDraft): DepositPlace
}

/** Addresses of the merchant's own wallet: the customer's transfer is the payout, and the merchant's wallet pays refunds. */
export type MerchantAddresses<N extends Network = Network> = {
  isDirect: true
  kind: Exclude<DepositKind, 'forwarder'>
  /** Why no platform share is possible. Ends the sentence "platform.feeBps must be 0: …". */
  noShareReason: string
  /** The largest address number, inclusive. */
  numberMax: number
  /**
   * Parses what a merchant gives instead of a wallet address: the source, with a proof of ownership. `source`: as stored.
   * `address`: the merchant's wallet, which pays refunds.
   */
  parseAccount(network: N, text: string): { source: string; address: string } | AccountFault
  /** Whether the text is a source of this kind. It may have been stored while the network had another kind. */
  isSource(text: string): boolean
  /** The format that `parseAccount` accepts. Ends the sentence "… must be". */
  accountFormat: string
  /** The address of one payment alone. */
  placeAt(network: N, at: AddressNumber): DepositPlace
  /** The address of a test payment: nobody has its key, and no money is ever sent there. `salt`: 32 random bytes in hex. */
  testPlace(network: N, salt: string): DepositPlace
}
