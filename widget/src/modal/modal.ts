import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { type CheckoutController, chosenOf } from '../checkout-controller.ts'
import { adoptStyles } from '../checkout-settings.ts'
import type { CheckoutHost } from '../host.ts'
import { formatPrice, t } from '../locales/locale.ts'
import { load, save } from '../session.ts'
import { type ChooseIntent, type CreateIntent, type Intent, identityOf, type Problem, parseSettings } from '../terms.ts'
import { viewButton, viewMessage } from '../views/frame.ts'
import { modalStyles } from './modal-styles.ts'
import { amountFor, type NoRate, readRate } from './price.ts'

/** What a price came to, kept for as long as the payment that was made for it. */
type Quote = { key: string; amount: string }

const displays = ['inline', 'modal', 'button']

/** A button, a dialog, a price in another currency: what stands before or around a payment. A chunk of its own. */
export class Modal implements ReactiveController {
  private readonly host: CheckoutHost
  private readonly controller: CheckoutController
  private readonly reconfigure: () => void
  /** Nothing is asked of the service before the customer asks for it. */
  private wasOpened = false
  private quote: Quote | null = null
  private fault: NoRate | null = null
  /** What the payment asked for that is to be made anew; null when none is. */
  private amountBefore: string | null = null
  private asking: AbortController | null = null

  /** @param reconfigure - Makes the element ask for the intent again. */
  constructor(host: CheckoutHost, controller: CheckoutController, reconfigure: () => void) {
    this.host = host
    this.controller = controller
    this.reconfigure = reconfigure
    adoptStyles(host, modalStyles)
    host.addController(this)
  }

  hostDisconnected(): void {
    this.asking?.abort()
    this.asking = null
    // Taken off the page, a dialog forgets that it was modal, but not that it was open.
    this.close()
  }

  /** What the page asks for by now; null while the customer has asked for nothing, or no rate is known. */
  intent(): Intent | Problem[] | null {
    const problems = this.problems()
    if (problems.length > 0) return problems
    if (this.isInDialog && !this.wasOpened) return null
    if (!this.isPriced) return parseSettings(this.host)
    const intent = parseSettings(this.host, this.quote?.amount || '1')
    if (Array.isArray(intent) || intent.type === 'follow') return intent
    const key = this.keyOf(intent)
    if (this.quote?.key !== key) this.quote = this.rememberedQuote(key)
    if (this.quote) return parseSettings(this.host, this.quote.amount)
    void this.askRate(intent)
    return null
  }

  open(): void {
    void this.openDialog()
  }

  private async openDialog(): Promise<void> {
    if (!this.isInDialog) return
    this.wasOpened = true
    this.reconfigure()
    await this.host.updateComplete
    const { dialog } = this
    if (!dialog || dialog.open) return
    dialog.showModal()
    this.emit('sc-open')
  }

  close(): void {
    this.dialog?.close()
  }

  /** Another payment in place of one that ended: for a price, at the rate of now. */
  restart(): void {
    if (!this.isPriced || !this.quote) {
      this.controller.restart()
      return
    }
    this.amountBefore = this.quote.amount
    save(entryOf(this.quote.key), null)
    this.quote = null
    this.reconfigure()
  }

  /** The price as the shop has set it, for whoever sees an amount in tokens. */
  priceText(): string {
    return this.isPriced ? formatPrice(this.host.price, this.host.priceCurrency) : ''
  }

  /** Puts the card into its dialog, with the button before it; in the page's flow it stays as it is. */
  frame(card: TemplateResult): TemplateResult {
    const shown = this.fault && !this.quote ? this.viewFault(this.fault) : card
    if (!this.isInDialog) return shown
    const onOpen = () => void this.open()
    const button = html`<button type="button" class="main open" part="button" aria-haspopup="dialog" @click=${onOpen}>
      <slot name="button">${t('payAmount', this.priceText() || this.amount)}</slot>
    </button>`
    return html`${this.host.display === 'button' ? button : nothing}
      <dialog part="dialog" aria-label=${t('card')} @close=${this.closed} @click=${this.clicked}>
        <button type="button" class="shut" part="close" aria-label=${t('close')} @click=${() => this.close()}>×</button>
        ${this.wasOpened ? shown : nothing}
      </dialog>`
  }

  /** Empty for a payment that is not known yet. */
  private get amount(): string {
    const { amount, currency } = this.host
    return amount && `${amount} ${currency}`
  }

  private get isInDialog(): boolean {
    return this.host.display === 'modal' || this.host.display === 'button'
  }

  private get isPriced(): boolean {
    return this.host.price !== '' && !this.host.paymentId
  }

  private get dialog(): HTMLDialogElement | null {
    return this.host.renderRoot.querySelector('dialog')
  }

  private readonly closed = (): void => this.emit('sc-close')

  /** Beside the card is the dialog itself. */
  private readonly clicked = (event: Event): void => {
    if (event.target === this.dialog) this.close()
  }

  private emit(name: 'sc-open' | 'sc-close'): void {
    this.host.dispatchEvent(new CustomEvent(name, { detail: {}, bubbles: true, composed: true }))
  }

  private problems(): Problem[] {
    const { display, price, priceCurrency, amount, currency, network } = this.host
    const rules: [attribute: string, isKept: boolean, rule: string][] = [
      ['display', displays.includes(display), 'inline, modal or button'],
    ]
    if (this.isPriced)
      rules.push(
        ['price', /^(?=.*[1-9])(0|[1-9]\d{0,14})(\.\d{1,4})?$/.test(price), 'a decimal number above 0, like 19.99'],
        ['price-currency', /^[A-Z]{3}$/.test(priceCurrency), 'the code of a currency, like EUR'],
        ['amount', amount === '', 'left out where there is a price'],
        // Chosen later, they would be remembered without the rate that the amount was made by.
        ['currency', currency !== '', 'the symbol of a token, like USDC, where there is a price'],
        ['network', network !== '', 'the short name of a network, like base, where there is a price'],
      )
    return rules.filter(([, isKept]) => !isKept).map(([attribute, , rule]) => ({ attribute, rule }))
  }

  /** What makes a quote another one: the price in place of the amount. */
  private keyOf(intent: CreateIntent | ChooseIntent): string {
    const { price, priceCurrency } = this.host
    return identityOf({ ...intent, terms: { ...intent.terms, amount: `${price} ${priceCurrency}` } })
  }

  /** A quote outlives a reload with the payment that was made for it, and not longer. */
  private rememberedQuote(key: string): Quote | null {
    const quote = load<Quote>(entryOf(key))
    const intent = quote && parseSettings(this.host, quote.amount)
    if (!intent || Array.isArray(intent)) return null
    const asked = intent.type === 'choose' ? chosenOf(intent) : intent
    return load(`stablecoin-checkout:${identityOf(asked)}`) ? quote : null
  }

  private async askRate(intent: CreateIntent | ChooseIntent): Promise<void> {
    this.asking?.abort()
    const asking = new AbortController()
    this.asking = asking
    const { price, priceCurrency, currency } = this.host
    const key = this.keyOf(intent)
    const rate = await readRate(intent.apiBase, currency, priceCurrency, asking.signal)
    if (this.asking !== asking) return
    this.asking = null
    if (typeof rate !== 'number') return this.fail(rate)
    const { amountBefore } = this
    this.fault = null
    this.amountBefore = null
    this.quote = { key, amount: amountFor(price, rate) }
    save(entryOf(key), this.quote)
    // Other terms are another payment by themselves; the same ones must be asked for.
    if (amountBefore === this.quote.amount) this.controller.restart()
    this.reconfigure()
  }

  private fail(fault: NoRate): void {
    this.fault = fault
    const { code, message, isPermanent } = fault
    const detail = { code, message, retryable: !isPermanent }
    this.host.dispatchEvent(new CustomEvent('sc-error', { detail, bubbles: true, composed: true }))
    this.host.requestUpdate()
  }

  private viewFault({ code, message, isPermanent }: NoRate): TemplateResult {
    const reason = html`<p class="panel"><code>${code}</code>${message}</p>`
    const text = isPermanent ? t('misconfiguredText') : t('noRateText')
    const retry = () => {
      this.fault = null
      this.reconfigure()
    }
    return html`<section class="card" part="card" aria-label=${t('card')}>
      ${viewMessage('warning', t('noRate'), text, reason, 'alert')}${viewButton(t('tryAgain'), retry)}
    </section>`
  }
}

const entryOf = (key: string): string => `stablecoin-checkout:price:${key}`
