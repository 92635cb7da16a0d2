import type { Following } from '../checkout.ts'
import type { Locale } from '../locales/locale.ts'
import type { CopyState } from '../ui/copy.ts'

export type QrChoice = 'address' | 'uri'

/** Data for the views, and handlers of their buttons. Views are stateless. */
export type View = {
  language: Locale
  following: Following
  leftMs: number
  qrChoice: QrChoice
  copyState: CopyState
  onCopy: (name: string, text: string) => void
  onChooseQr: (choice: QrChoice) => void
  onRestart: () => void
  /** Pressed, or hovered or focused before. */
  onWallet: (event: { type: string }) => void
}
