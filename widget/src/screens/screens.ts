import type { nothing, TemplateResult } from 'lit/html.js'
import type { CheckoutController } from '../checkout-controller.ts'
import { ElsewhereEntry, type ElsewhereHost } from '../elsewhere/entry.ts'
import { viewChecking, viewConfirming, viewEnded, viewPaid } from '../views/outcome.ts'
import type { View } from '../views/view.ts'
import { screens, shared } from '../words/english-screens.ts'
import { say, speak, type Words } from '../words/say.ts'

/** The element, as far as these screens ask anything of it. */
export type ScreensHost = ElsewhereHost

/** All that a customer can meet after the first screen; a file of its own, loaded as soon as that one is shown. */
export class Screens {
  /** What these screens say where no other language has come. */
  static readonly english: Words = { ...shared, ...screens }

  private readonly elsewhere: ElsewhereEntry

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.elsewhere = new ElsewhereEntry(host, controller)
  }

  /** Other ways to pay what the first screen asks for. */
  more(view: View): TemplateResult | typeof nothing {
    speak(view.language)
    return this.elsewhere.button(view)
  }

  /** The screen that the payment calls for; null leaves it to the element, which asks for the money. */
  view(view: View): TemplateResult | null {
    speak(view.language)
    const { stage } = view.following
    const elsewhere = this.elsewhere.view(view)
    if (elsewhere) return elsewhere
    switch (stage) {
      case 'awaiting':
      case 'underpaid':
        return view.leftMs === 0 ? viewChecking(view, say('timeUp'), say('checking')) : null
      case 'confirming':
        return viewConfirming(view)
      case 'paid':
        return viewPaid(view)
      case 'expired':
        return viewEnded(view, say('timeUp'), say('expiredText'))
      case 'closed':
        return viewEnded(view, say('closed'), say('closedText'))
      default:
        return stage satisfies never
    }
  }
}
