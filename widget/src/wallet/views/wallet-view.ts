import type { QrModules } from '../../payment.ts'
import type { WalletLink } from '../wallet-links.ts'

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
