import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Stopped } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { ElsewhereEntry } from '../elsewhere/entry.ts'
import type { Speaker } from '../speaker.ts'
import type { ChooseIntent, Problem } from '../terms.ts'
import type { ControllerHost } from '../ui/small-element.ts'
import type { More } from '../views/deposit.ts'
import { viewButton, viewMessage } from '../views/frame.ts'
import { viewChecking, viewConfirming } from '../views/outcome.ts'
import { viewTimeline } from '../views/timeline.ts'
import type { View } from '../views/view.ts'
import { screens, shared } from '../words/english-screens.ts'
import { type Language, say, sayTime, speak, type Words } from '../words/say.ts'
import { Chooser } from './chooser.ts'
import { viewEnded } from './ended.ts'
import { Exchange } from './exchange.ts'
import { viewPaid } from './paid.ts'
import { viewQrChoice } from './qr-choice.ts'
import { Returns } from './returns.ts'
import { rules } from './rules.ts'
import { Sandbox } from './sandbox.ts'
import { Stream } from './stream.ts'
import { screensStyles } from './style.ts'
import { Tabs } from './tabs.ts'

/** The element, as far as these screens ask anything of it. */
export type ScreensHost = ControllerHost & {
  readonly renderRoot: ShadowRoot
  readonly publicKey: string
  /** A wallet is asked for the payment: nothing else may take the place of it. */
  readonly isPaying: boolean
}

/** All that a customer can meet after the first screen; a file of its own, loaded as soon as that one is shown. */
export class Screens {
  /** What these screens say where no other language has come. */
  static readonly english: Words = { ...shared, ...screens }
  private readonly controller: CheckoutController
  private readonly returns: Returns
  private readonly tabs: Tabs
  private readonly chooser: Chooser
  private readonly exchange: Exchange
  private readonly sandbox: Sandbox
  private readonly elsewhere: ElsewhereEntry

  constructor(host: ScreensHost, controller: CheckoutController, speaker: Speaker) {
    this.controller = controller
    this.returns = new Returns(host, controller)
    this.tabs = new Tabs(host, controller)
    this.chooser = new Chooser(host, controller)
    this.exchange = new Exchange(host)
    this.sandbox = new Sandbox(host, controller)
    new Stream(host, controller)
    this.elsewhere = new ElsewhereEntry(host, controller, speaker)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(screensStyles)
    host.renderRoot.adoptedStyleSheets.push(sheet)
  }

  /** The screen that the payment calls for; null leaves it to the element, which asks for the money. */
  view(view: View): TemplateResult | null {
    speak(view.language)
    const { following, leftMs } = view
    const { intent, stage } = following
    const isAwaiting = stage === 'awaiting' && leftMs > 0
    if (!isAwaiting && this.chooser.isOpen) this.chooser.open(false)
    if (this.chooser.isOpen && intent.type === 'create' && intent.choice)
      return this.chooser.view(intent.choice, following)
    const screen = this.viewStage(view)
    return screen && html`${screen} ${this.returns.viewStrays(view)} ${this.sandbox.view(view)}`
  }

  /** What the screen that asks for the money does not need at once. */
  viewMore(view: View): More {
    return { qr: viewQrChoice(view), below: this.viewBelow(view) }
  }

  private viewBelow(view: View): TemplateResult {
    const { intent, stage } = view.following
    const isChange = stage === 'awaiting' && intent.type === 'create' && intent.choice
    const way = html`<button type="button" @click=${() => this.chooser.open(true)}>${say('otherWay')}</button>`
    return html`${this.returns.viewStrays(view)} ${viewTimeline(view.following)}
      <div class="more">
        ${isChange ? way : nothing} ${this.elsewhere.button(view)}
        <button type="button" aria-expanded=${this.exchange.isOpen} @click=${() => this.exchange.toggle()}>${say('exchange')}</button>
      </div>
      ${this.exchange.view(view)} ${this.sandbox.view(view)}`
  }

  /** The customer has to choose first. */
  viewChoice(choice: ChooseIntent, language: Language): TemplateResult {
    speak(language)
    return this.chooser.view(choice, null)
  }

  private viewStage(view: View): TemplateResult | null {
    const { stage, answer } = view.following
    const elsewhere = this.elsewhere.view(view)
    if (elsewhere) return elsewhere
    switch (stage) {
      case 'awaiting':
      case 'underpaid':
        return view.leftMs === 0 ? viewChecking(view, say('timeUp'), say('checking')) : null
      case 'confirming':
        return viewConfirming(view)
      case 'paid':
        return viewPaid(view, this.returns.viewDebt(view), this.tabs.paidElsewhere === answer.payment.id)
      case 'expired':
      case 'closed':
        return viewEnded(view, this.returns.viewDebt(view))
      default:
        return stage satisfies never
    }
  }

  /** For a screen reader, which is not told of every second. */
  sayLeft(minutesLeft: number, language: Language): string {
    speak(language)
    return say('minutesLeft', sayTime(minutesLeft * 60))
  }

  /** What no further try will mend by itself. */
  viewStopped(checkout: Stopped, language: Language, onRetry: () => void): TemplateResult {
    speak(language)
    return checkout.phase === 'refused'
      ? this.viewRefused(checkout, onRetry)
      : this.viewMisconfigured(checkout.problems)
  }

  /** The tag is wrong: each attribute with its rule, for the merchant; one kind sentence for a customer. */
  private viewMisconfigured(problems: Problem[]): TemplateResult {
    const list = problems.map(({ attribute, rule }) => {
      return html`<p class="panel"><code>${attribute}</code>${rule || rules[attribute]}</p>`
    })
    return viewMessage('warning', say('misconfigured'), say('misconfiguredText'), list, 'alert')
  }

  /** The service said no; another try may only help after something was changed, or after the network has come back. */
  private viewRefused({ intent, fault }: Extract<Stopped, { phase: 'refused' }>, onRetry: () => void): TemplateResult {
    const { code, message } = fault
    const choice = intent.type === 'create' && intent.choice
    const isNetworkDown = code === 'NETWORK_UNAVAILABLE'
    const reason = html`<p class="panel">${isNetworkDown ? nothing : html`<code>${code}</code>`}${message}</p>`
    const title = isNetworkDown
      ? say('networkDown', intent.type === 'create' ? intent.terms.network : '')
      : say('refused')
    const text = isNetworkDown ? say('networkDownText') : say('misconfiguredText')
    return html`${viewMessage('warning', title, text, reason, 'alert')} ${viewButton(say('tryAgain'), onRetry)}
    ${choice ? viewButton(say('otherWay'), () => this.controller.choose(choice, null), 'quiet') : nothing}`
  }
}
