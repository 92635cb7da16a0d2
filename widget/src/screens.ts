import { html, nothing, type TemplateResult } from 'lit'
import type { Balances, PaymentOption } from './api/payment-options.ts'
import type { Stopped } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { adoptStyles } from './checkout-settings.ts'
import { CrossChainButton } from './cross-chain/cross-chain-button.ts'
import { EventStream } from './event-stream.ts'
import { LazyPart } from './lazy-part.ts'
import { t } from './locales/locale.ts'
import { OtherTabs } from './other-tabs.ts'
import { type CheckoutHost, Part } from './part.ts'
import { Refunds } from './refund/refunds.ts'
import { screenStyles } from './styles/screens.ts'
import type { ChooseIntent } from './terms.ts'
import { TimeAnnouncements } from './ui/time-announcements.ts'
import { viewConfirming, viewTimeline } from './views/confirming.ts'
import type { More } from './views/deposit.ts'
import { viewChecking, viewEnded } from './views/ended.ts'
import { ExchangeFee } from './views/exchange-fee.ts'
import { viewMessage } from './views/frame.ts'
import { viewNetworkFee } from './views/network-fee.ts'
import { viewPaid } from './views/paid.ts'
import { PaymentOptions } from './views/payment-options.ts'
import { viewPrice } from './views/price-line.ts'
import { viewQrChoice } from './views/qr-choice.ts'
import { viewMisconfigured, viewRefused } from './views/stopped.ts'
import { viewTronLink } from './views/tron-link.ts'
import type { View } from './views/view.ts'

/** If the chunk cannot be loaded, the options keep their order. */
function readBalances(options: PaymentOption[]): Promise<Balances> {
  return import('./wallet/evm/wallet-balances.ts').then(
    ({ balancesInWallets }) => balancesInWallets(options),
    () => new Map(),
  )
}

/** Every screen but the first. A chunk of its own, loaded as soon as the first screen is shown. */
export class Screens extends Part {
  private readonly refunds: Refunds
  private readonly otherTabs: OtherTabs
  private readonly options: PaymentOptions
  private readonly exchangeFee: ExchangeFee
  private readonly crossChain: CrossChainButton
  /** For test payments only. */
  private readonly sandbox
  /** For a payment link's tag only. */
  private readonly link

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.refunds = new Refunds(host, controller)
    this.otherTabs = new OtherTabs(host, controller)
    this.options = new PaymentOptions(host, controller, readBalances)
    this.exchangeFee = new ExchangeFee(host)
    this.crossChain = new CrossChainButton(host, controller)
    this.sandbox = new LazyPart(
      host,
      () => import('./sandbox/sandbox.ts'),
      ({ Sandbox }) => new Sandbox(host, controller),
    )
    this.link = new LazyPart(
      host,
      () => import('./link/link.ts'),
      ({ Link }) => new Link(host, controller, readBalances),
    )
    new EventStream(host, controller)
    new TimeAnnouncements(host, controller)
    adoptStyles(host, screenStyles)
  }

  /** The screen for the payment; null leaves it to the element, which asks for the money. */
  view(view: View): TemplateResult | null {
    const { following, leftMs } = view
    const { intent, stage } = following
    const isAwaiting = stage === 'awaiting' && leftMs > 0
    if (!isAwaiting && this.options.isOpen) this.options.open(false)
    if (this.options.isOpen && intent.type === 'create' && intent.choice)
      return this.options.view(intent.choice, following)
    const screen = this.viewStage(view)
    return screen && html`${screen} ${this.refunds.viewUnmatched(view)} ${this.viewSandbox(view)}`
  }

  /** Parts of the payment screen that can load later. */
  viewMore(view: View): More {
    return { qr: viewQrChoice(view), below: this.viewBelow(view) }
  }

  private viewBelow(view: View): TemplateResult {
    const { intent, stage } = view.following
    const ofLink = this.linkAgain(view)
    const canChoose = stage === 'awaiting' && (ofLink || (intent.type === 'create' && intent.choice))
    const chooseAgain = ofLink ?? (() => this.options.open(true))
    const other = html`<button type="button" @click=${chooseAgain}>${t('otherOption')}</button>`
    return html`${viewNetworkFee(view.following.answer)} ${viewTronLink(view.following)}
      ${viewPrice(view.following.answer)} ${this.refunds.viewUnmatched(view)} ${viewTimeline(view.following)}
      <div class="more">
        ${canChoose ? other : nothing} ${this.crossChain.button(view)}
        <button type="button" aria-expanded=${this.exchangeFee.isOpen} @click=${() => this.exchangeFee.toggle()}>${t('exchange')}</button>
      </div>
      ${this.exchangeFee.view(view)} ${this.viewSandbox(view)}`
  }

  private viewSandbox(view: View): TemplateResult | typeof nothing {
    if (!view.following.answer.payment.isTest) return nothing
    this.sandbox.want()
    return this.sandbox.part?.view(view) ?? nothing
  }

  /** The customer has to choose first. A payment link's id takes the place of the public key. */
  viewChoice(choice: ChooseIntent): TemplateResult {
    if (!choice.publicKey.startsWith('pl_')) return this.options.view(choice, null)
    this.link.want()
    return this.link.part?.view(choice) ?? viewMessage('clock', t('oneMoment'), '')
  }

  /** Returns to the choice, for a payment created by this tag's link; null for others. */
  private linkAgain({ following }: View): (() => void) | null {
    const { part } = this.link
    return part?.isOf(following.answer.payment.id) ? () => void part.chooseAgain() : null
  }

  private viewStage(view: View): TemplateResult | null {
    const { stage, answer } = view.following
    const crossChain = this.crossChain.view(view)
    if (crossChain) return crossChain
    switch (stage) {
      case 'awaiting':
      case 'underpaid':
        return view.leftMs === 0 ? viewChecking(view, t('timeUp'), t('checking')) : null
      case 'confirming':
        return viewConfirming(view)
      case 'paid':
        return viewPaid(view, this.refunds.viewOwed(view), this.otherTabs.paidInOtherTab === answer.payment.id)
      case 'expired':
      case 'closed':
        return viewEnded(view, this.refunds.viewOwed(view), this.linkAgain(view))
      default:
        return stage satisfies never
    }
  }

  /** Permanent failures. */
  viewStopped(checkout: Stopped, onRetry: () => void): TemplateResult {
    return checkout.phase === 'refused'
      ? viewRefused(checkout, onRetry, (choice) => this.controller.choose(choice, null))
      : viewMisconfigured(checkout.problems)
  }
}
