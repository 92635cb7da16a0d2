import type { Following } from '../checkout.ts'
import type { Locale } from '../locales/locale.ts'
import type { CopyState } from '../ui/copy.ts'

export type QrChoice = 'address' | 'uri'

/** What the views draw from, and what their buttons do. Views decide nothing and remember nothing. */
export type View = {
  language: Locale
  following: Following
  leftMs: number
  qrChoice: QrChoice
  copyState: CopyState
  onCopy: (name: string, text: string) => void
  onChooseQr: (choice: QrChoice) => void
  onRestart: () => void
  /** Pressed, or about to be: the pointer or the focus is on the button. */
  onWallet: (event: { type: string }) => void
}
