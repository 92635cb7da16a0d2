import { load, save, walletEntryOf } from '../session.ts'

/**
 * What was asked of the wallet for one payment, kept for the life of the tab from before the wallet is asked: a page that
 * is loaded anew must not ask for the money again while the first request may still go through.
 */
export type PendingTransaction = {
  wallet: string
  account: string
  type: 'contract' | 'transfer'
  /** Hash of the transaction; empty until the wallet has answered. */
  hash: string
  /** Id of a batch (EIP-5792), which has no hash until it is mined. */
  batchId: string
  /** The account's next nonce when it was asked; null when unknown, or when the account is a contract. */
  nonce: number | null
  /** Address of the token. */
  token: string
  /** Base units of it that the account held then, as text. */
  balance: string
  /** What was still to be paid then: when it changes, the service has seen the money. */
  due: string
  /** Unix milliseconds of when the wallet was asked; on Solana alone, where what was sent can land for a while only. */
  askedAtMs?: number
}

export function loadPendingTransaction(paymentId: string): PendingTransaction | null {
  return load<PendingTransaction>(walletEntryOf(paymentId))
}

export function savePendingTransaction(paymentId: string, pending: PendingTransaction | null): void {
  save(walletEntryOf(paymentId), pending)
}
