import type { QrModules } from '../payment.ts'
import type { PlannedPrompt } from './evm/prompt-plan.ts'
import type { WalletLink } from './wallet-links.ts'

export type Prompt = PlannedPrompt | 'connect' | 'switch' | 'add'

/** Why nothing more is asked of the wallet. Amounts are decimal text; `message` is of the wallet, the node or the service, and shown as it is. */
export type Stop =
  | {
      why:
        | 'rejected'
        | 'busy'
        | 'locked'
        | 'network'
        | 'late'
        | 'paid'
        | 'reverted'
        | 'unsure'
        | 'unsureTransfer'
        | 'gone'
    }
  | { why: 'unknownNetwork' }
  | { why: 'balance'; missing: string; account: string }
  | { why: 'fee'; missing: string; coin: string; account: string }
  | { why: 'refused' | 'failed' | 'service'; message: string }

/** What the customer sees while paying by wallet. */
export type WalletScreen =
  | { at: 'closed' }
  | { at: 'choosing'; isSearching: boolean }
  | { at: 'working'; on: 'reading' | 'creating' | 'submitting' | 'reset' | 'approve' | 'walletconnect' }
  | { at: 'asking'; prompt: Prompt; number: number; total: number; isSlow: boolean }
  | { at: 'sent' }
  | { at: 'stopped'; stop: Stop; canRepeat: boolean }

/** A wallet as its button shows it. */
export type WalletOption = { name: string; icon: string }

/** What the wallet's screens draw from, beside the payment, and what their buttons do. */
export type WalletView<Wallet extends WalletOption = WalletOption> = {
  wallets: Wallet[]
  hasWalletConnect: boolean
  links: WalletLink[]
  /** The wallet that was picked; empty when it has no name. */
  name: string
  hash: string
  /** The code that asks a wallet on a phone; null or absent where there is none. */
  qr?: QrModules | null
  onPick: (wallet: Wallet) => void
  onPickWalletConnect: () => void
  onAgain: (isFeeIgnored: boolean) => void
  onStopWaiting: () => void
  /** To the list of wallets; null while the wallet may still send what it was asked for. */
  onChoose: (() => void) | null
  /** To the deposit address; null where there is none, and while the wallet may still send. */
  onBack: (() => void) | null
}
