import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Fault } from '../api.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import type { ControllerHost } from '../ui/small-element.ts'
import { viewButton, viewMessage } from '../views/frame.ts'
import { viewChecking, viewConfirming } from '../views/outcome.ts'
import type { View } from '../views/view.ts'
import { screens, shared } from '../words/english-screens.ts'
import { type Language, say, speak, type Words } from '../words/say.ts'
import { viewEnded } from './ended.ts'
import { viewPaid } from './paid.ts'
import { Refund } from './refund.ts'
import { screensStyles } from './style.ts'
import { Tabs } from './tabs.ts'

/** The element, as far as these screens ask anything of it. */
export type ScreensHost = ControllerHost & {
  readonly renderRoot: ShadowRoot
  readonly publicKey: string
  readonly network: string
  /** A wallet is asked for the payment: nothing else may take the place of it. */
  readonly isPaying: boolean
}

/** All that a customer can meet after the first screen; a file of its own, loaded as soon as that one is shown. */
export class Screens {
  /** What these screens say where no other language has come. */
  static readonly english: Words = { ...shared, ...screens }
  private readonly host: ScreensHost
  private readonly refund: Refund
  private readonly tabs: Tabs

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.host = host
    this.refund = new Refund(host, controller)
    this.tabs = new Tabs(host, controller)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(screensStyles)
    host.renderRoot.adoptedStyleSheets.push(sheet)
  }

  /** The screen that the payment calls for; null leaves it to the element, which asks for the money. */
  view(view: View): TemplateResult | null {
    speak(view.language)
    const { stage, answer } = view.following
    switch (stage) {
      case 'awaiting':
      case 'underpaid':
        return view.leftMs === 0 ? viewChecking(view, say('timeUp'), say('checking')) : null
      case 'confirming':
        return viewConfirming(view)
      case 'paid':
        return viewPaid(view, this.refund.view(view), this.tabs.paidElsewhere === answer.payment.id)
      case 'expired':
      case 'closed':
        return viewEnded(view, this.refund.view(view))
      default:
        return stage satisfies never
    }
  }

  /** The service said no; another try may only help after something was changed, or after the network has come back. */
  viewRefused({ code, message }: Fault, language: Language, onRetry: () => void): TemplateResult {
    speak(language)
    const isNetworkDown = code === 'NETWORK_UNAVAILABLE'
    const reason = html`<p class="panel">${isNetworkDown ? nothing : html`<code>${code}</code>`}${message}</p>`
    const title = isNetworkDown ? say('networkDown', this.host.network) : say('refused')
    const text = isNetworkDown ? say('networkDownText') : say('misconfiguredText')
    return html`${viewMessage('warning', title, text, reason, 'alert')} ${viewButton(say('tryAgain'), onRetry)}`
  }
}
