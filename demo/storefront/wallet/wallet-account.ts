import type { Hex, LocalAccount } from 'viem'

/**
 * `customer` is the devnet's own account; the others are derived from its key and get the state their name describes on
 * first use.
 */
export const accountNames = ['customer', 'smart', 'short', 'dry'] as const
export type AccountName = (typeof accountNames)[number]

export type WalletAccount = {
  name: AccountName
  address: Hex
  /** Signs, and pays the gas. Differs from the account's address if that is a contract. */
  signer: LocalAccount
  isSmart: boolean
}
