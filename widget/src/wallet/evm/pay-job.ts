import type { PendingTransaction } from '../pending-transactions.ts'
import type { Signed, Submitted } from '../submit-authorization.ts'
import type { WalletScreen } from '../wallet-state.ts'
import type { PromptWhile } from './connect-wallet.ts'
import type { Order } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'
import type { PlannedPrompt } from './prompt-plan.ts'

/** Known limitations of this wallet, which are not tried again. */
export type Unable = { authorize: boolean; batch: boolean; sign: boolean }

/** Dependencies of one run. */
export type Job = {
  client: EvmWallet
  order: Order
  account: string
  unable: Unable
  /** The required nonce of a repeated transfer, so that it can only replace the first; null for any. */
  nonce: number | null
  isFeeIgnored: boolean
  promptWhile: (prompt: PlannedPrompt, number: number, total: number) => PromptWhile
  show: (screen: WalletScreen) => void
  /** Another run has taken over: no further prompts. */
  isDropped: () => boolean
  leftMs: () => number
  /** @throws {RangeError} when the payment on screen is no longer the order: its money was detected meanwhile. */
  verifyShown: () => void
  /** Submits the customer's signature to the service, which pays the network fee. */
  submit: (signed: Signed) => Promise<Submitted>
  /** Recorded before the wallet is asked, and again with its answer; null when nothing was sent. */
  keep: (pending: Partial<PendingTransaction> | null) => void
}
