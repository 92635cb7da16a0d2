import { html, nothing, type TemplateResult } from 'lit'
import { type PaymentOption, readPaymentOptions } from '../api/payment-options.ts'
import { replacePayment } from '../api/payments.ts'
import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import type { CheckoutHost } from '../host.ts'
import { formatAmount, formatDuration, t } from '../locales/locale.ts'
import type { ChooseIntent, CreateIntent } from '../terms.ts'
import { viewLogo } from '../ui/logo.ts'
import { viewButton, viewMessage } from './frame.ts'

/** Which token on which network, where the page leaves that to the customer: first of all, and again while nothing was sent. */
export class PaymentOptions {
  /** The customer chooses anew in place of the payment on screen. */
  isOpen = false
  private readonly host: CheckoutHost
  private readonly controller: CheckoutController
  private options: PaymentOption[] | 'asked' | 'unreached' | null = null
  /** What was asked for when the options were read. */
  private readFor: ChooseIntent | null = null
  private isReplacing = false
  private problem: (() => string) | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** @param following - The payment that a choice would replace, if there is one. */
  view(choice: ChooseIntent, following: Following | null): TemplateResult {
    if (this.readFor?.publicKey !== choice.publicKey || this.readFor.apiBase !== choice.apiBase) void this.read(choice)
    const { options } = this
    const again = viewButton(t('tryAgain'), () => void this.read(choice))
    if (options === 'unreached')
      return html`${viewMessage('warning', t('loadFailed'), t('notReached'), nothing, 'alert')} ${again}`
    if (!Array.isArray(options) || this.isReplacing) return viewMessage('clock', t('oneMoment'), '')
    const back = following ? viewButton(t('keepOption'), () => this.open(false), 'quiet') : nothing
    if (options.length === 0)
      return html`${viewMessage('warning', t('noOption'), t('networkDownText'), nothing, 'alert')} ${again} ${back}`
    return html`<p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${t('chooseOption')}</p>
      <p class="amount" part="amount"><bdi>${formatAmount(choice.terms.amount)}</bdi></p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem()}</p>` : nothing}
      <ul class="options">
        ${options.map((option) => html`<li>${viewOption(option, () => void this.pick(choice, following, option))}</li>`)}
      </ul>
      <p class="label">${t('optionsHint')}</p>
      ${back}`
  }

  /** Opens the list in place of the payment on screen, or goes back to that. */
  open(isOpen: boolean): void {
    this.isOpen = isOpen
    this.problem = null
    // Read again: what could be paid with then need not be payable now.
    this.readFor = null
    this.host.requestUpdate()
  }

  private async read(choice: ChooseIntent): Promise<void> {
    this.readFor = choice
    this.options = 'asked'
    const options = await readPaymentOptions(choice)
    if (this.readFor !== choice) return
    this.options = options ?? 'unreached'
    this.host.requestUpdate()
    const [only] = options ?? []
    // Nothing to choose from is nothing to ask for.
    if (only && options?.length === 1 && this.controller.checkout.phase === 'choosing')
      this.controller.choose(choice, only)
  }

  private async pick(choice: ChooseIntent, following: Following | null, option: PaymentOption): Promise<void> {
    if (!following) return this.controller.choose(choice, option)
    if (following.intent.type === 'create' && isSameOption(following.intent, option)) return this.open(false)
    this.isReplacing = true
    this.host.requestUpdate()
    await this.replace(choice, following, option)
    this.isReplacing = false
    this.host.requestUpdate()
  }

  /** The service cancels the payment on screen in the same step, unless money has come for it: then that one stays. */
  private async replace(choice: ChooseIntent, following: Following, option: PaymentOption): Promise<void> {
    const { id } = following.answer.payment
    const { currency, network } = option
    const intent: CreateIntent = { ...choice, type: 'create', terms: { ...choice.terms, currency, network }, choice }
    const idempotencyKey = `${id}:${network}:${currency}`
    const replaced = await replacePayment(intent, id, { path: 'deposits/create', idempotencyKey })
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== id) return
    if (replaced.type === 'failed') {
      const { status, message } = replaced.fault
      this.problem = () => (status ? message : t('notReached'))
      return
    }
    if (replaced.type === 'replaced') this.controller.change(intent, option, replaced.answer)
    else this.controller.pollNow()
    this.isOpen = false
  }
}

function isSameOption({ terms }: CreateIntent, { currency, network }: PaymentOption): boolean {
  return (
    terms.network.toLowerCase() === network.toLowerCase() && terms.currency.toUpperCase() === currency.toUpperCase()
  )
}

function viewOption(option: PaymentOption, onPick: () => void): TemplateResult {
  const { currency, logo, networkName, networkLogo, seconds, confirmations, fee } = option
  const time = seconds === null ? t('optionConfirmations', confirmations) : t('optionTime', formatDuration(seconds))
  const cost = fee === 'low' ? t('feeLow') : fee === 'high' ? t('feeHigher') : ''
  return html`<button type="button" @click=${onPick}>
    ${viewLogo(logo, networkLogo)}
    <span class="lead"><bdi>${currency}</bdi> ${t('on', networkName)}</span>
    <span class="label">${[cost, time].filter(Boolean).join(' · ')}</span>
  </button>`
}
