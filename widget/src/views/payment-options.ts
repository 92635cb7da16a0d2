import { html, nothing, type TemplateResult } from 'lit'
import { type PaymentOption, readPaymentOptions } from '../api/payment-options.ts'
import { replacePayment } from '../api/replace-payment.ts'
import type { Following } from '../checkout.ts'
import { formatDuration } from '../locales/format.ts'
import { formatAmount, t } from '../locales/locale.ts'
import { Part } from '../part.ts'
import type { ChooseIntent, CreateIntent } from '../terms.ts'
import { viewLogo } from '../ui/icon.ts'
import { explainFault } from './fault-text.ts'
import { viewButton, viewMessage } from './frame.ts'

/** The choice of token and network, where the page leaves them open: at the start, and again while nothing was sent. */
export class PaymentOptions extends Part {
  /** The customer chooses again, to replace the payment on screen. */
  isOpen = false
  private options: PaymentOption[] | 'asked' | 'unreached' | null = null
  /** The intent for which the options were read. */
  private readFor: ChooseIntent | null = null
  private isReplacing = false
  protected problem: (() => string) | null = null

  /** @param following - The payment that a choice would replace, if any. */
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
      ${choice.terms.amount ? html`<p class="amount" part="amount"><bdi>${formatAmount(choice.terms.amount)}</bdi></p>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem()}</p>` : nothing}
      <ul class="options">
        ${options.map((option) => html`<li>${viewOption(option, () => void this.pick(choice, following, option))}</li>`)}
      </ul>
      <p class="label">${t('optionsHint')}</p>
      ${back}`
  }

  /** Opens the list in place of the payment on screen, or returns to the payment. */
  open(isOpen: boolean): void {
    this.isOpen = isOpen
    this.problem = null
    // Read again: options may have changed.
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
    // Nothing to choose from: the button is not shown.
    if (only && options?.length === 1 && this.controller.checkout.phase === 'choosing') this.choose(choice, only)
  }

  protected choose(choice: ChooseIntent, option: PaymentOption): void {
    this.controller.choose(choice, option)
  }

  private async pick(choice: ChooseIntent, following: Following | null, option: PaymentOption): Promise<void> {
    if (!following) return this.choose(choice, option)
    if (following.intent.type === 'create' && isSameOption(following.intent, option)) return this.open(false)
    this.isReplacing = true
    this.host.requestUpdate()
    await this.replace(choice, following, option)
    this.isReplacing = false
    this.host.requestUpdate()
  }

  /** The service cancels the payment on screen in the same step, unless it has received money: then it stays. */
  private async replace(choice: ChooseIntent, following: Following, option: PaymentOption): Promise<void> {
    const { id } = following.answer.payment
    const { currency, network } = option
    const intent: CreateIntent = { ...choice, type: 'create', terms: { ...choice.terms, currency, network }, choice }
    const idempotencyKey = `${id}:${network}:${currency}`
    const replaced = await replacePayment(intent, id, { path: 'deposits/create', idempotencyKey })
    if (this.following?.answer.payment.id !== id) return
    if (replaced.type === 'failed') {
      const { fault } = replaced
      this.problem = () => explainFault(fault)
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
