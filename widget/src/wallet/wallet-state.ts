import type { Fault } from '../api/client.ts'
import type { QrModules } from '../payment.ts'
import type { PlannedPrompt } from './evm/prompt-plan.ts'
import type { WalletLink } from './wallet-links.ts'

export type Prompt = PlannedPrompt | 'connect' | 'switch' | 'add'

/**
 * Why the wallet is asked nothing more. Amounts are decimal text; `message` comes from the wallet, its node or the
 * element's own checks, and is shown unchanged; a `fault` of the service is explained in the customer's language.
 */
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
  /** `missing` is rounded up for the screen. */
  | { why: 'fee'; missing: string; exact: string; coin: string; account: string }
  | { why: 'refused' | 'failed' | 'service'; message: string }
  | { why: 'service'; fault: Fault }

/** The wallet flow's state for the screen. */
export type WalletScreen =
  | { at: 'closed' }
  | { at: 'choosing'; isSearching: boolean }
  | { at: 'working'; on: 'reading' | 'creating' | 'submitting' | 'reset' | 'approve' | 'walletconnect' }
  | { at: 'asking'; prompt: Prompt; number: number; total: number; isSlow: boolean }
  | { at: 'sent' }
  | { at: 'stopped'; stop: Stop; canRepeat: boolean }

/** A wallet's name and icon for its button. */
export type WalletOption = { name: string; icon: string }

/** Data for the wallet screens in addition to the payment, and handlers of their buttons. */
export type WalletView<Wallet extends WalletOption = WalletOption> = {
  wallets: Wallet[]
  hasWalletConnect: boolean
  links: WalletLink[]
  /** Where to get a wallet. */
  sites: WalletLink[]
  /** The chosen wallet; empty without a name. */
  name: string
  hash: string
  /** The QR code for a phone's wallet; null or absent if none. */
  qr?: QrModules | null
  onPick: (wallet: Wallet) => void
  onPickWalletConnect: () => void
  onAgain: (isFeeIgnored: boolean) => void
  onStopWaiting: () => void
  /** Back to the list of wallets; null while the wallet may still send. */
  onChoose: (() => void) | null
  /** Back to the deposit address; null if there is none, and while the wallet may still send. */
  onBack: (() => void) | null
}
