import type { PendingTransaction } from '../pending-transactions.ts'
import type { Signed, Submitted } from '../submit-authorization.ts'
import type { WalletScreen } from '../wallet-state.ts'
import type { PromptWhile } from './connect-wallet.ts'
import type { Order } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'
import type { PlannedPrompt } from './prompt-plan.ts'

/** What this wallet was found unable to do; it is not tried again. */
export type Unable = { authorize: boolean; batch: boolean; sign: boolean }

/** Everything that one run needs of the outside. */
export type Job = {
  client: EvmWallet
  order: Order
  account: string
  unable: Unable
  /** The nonce that a repeated transfer must have, so that it can only take the place of the first; null for any. */
  nonce: number | null
  isFeeIgnored: boolean
  promptWhile: (prompt: PlannedPrompt, number: number, total: number) => PromptWhile
  show: (screen: WalletScreen) => void
  /** Another run has taken over: nothing more may be asked. */
  isDropped: () => boolean
  leftMs: () => number
  /** Brings what the customer signed to the service, which pays the network fee. */
  submit: (signed: Signed) => Promise<Submitted>
  /** Kept before the wallet is asked, and again with what it answered; null when nothing was sent. */
  keep: (pending: Partial<PendingTransaction> | null) => void
}
