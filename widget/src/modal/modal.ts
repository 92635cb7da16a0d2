import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { text } from '../api/parse-answer.ts'
import type { Checkout } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { adoptStyles } from '../checkout-settings.ts'
import { formatPrice } from '../locales/format.ts'
import { formatAmount, t } from '../locales/locale.ts'
import { type CheckoutHost, Part } from '../part.ts'
import { type Intent, type Problem, parseSettings } from '../terms.ts'
import { modalStyles } from './modal-styles.ts'

const displays = ['inline', 'modal', 'button']

/** A button, a dialog, a price in another currency: what is shown before or around a payment. A chunk of its own. */
export class Modal extends Part implements ReactiveController {
  private readonly reconfigure: () => void
  /** Sends no request before the customer opens it. */
  private wasOpened = false

  /** @param reconfigure - Makes the element evaluate its intent again. */
  constructor(host: CheckoutHost, controller: CheckoutController, reconfigure: () => void) {
    super(host, controller)
    this.reconfigure = reconfigure
    adoptStyles(host, modalStyles)
    host.addController(this)
  }

  hostDisconnected(): void {
    // A dialog removed from the page loses its modal state, but stays `open`.
    this.close()
  }

  /** The page's current intent; null until the customer opens it. */
  intent(): Intent | Problem[] | null {
    const problems = this.problems()
    if (problems.length > 0) return problems
    if (this.isInDialog && !this.wasOpened) return null
    if (!this.isPriced) return parseSettings(this.host)
    const intent = parseSettings(Object.create(this.host, { amount: { value: '1' } }) as CheckoutHost)
    if (Array.isArray(intent) || intent.type === 'follow') return intent
    // The service converts the price at a rate that its response names.
    const { price, priceCurrency } = this.host
    return { ...intent, terms: { ...intent.terms, amount: undefined, price, priceCurrency } }
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
    this.emit('sc-open', {})
  }

  close(): void {
    this.dialog?.close()
  }

  /** The price as set by the shop, shown beside the amount in tokens. */
  priceText(): string {
    return this.isPriced ? formatPrice(this.host.price, this.host.priceCurrency) : ''
  }

  /**
   * The price above the screen, of the payment on it: the page may set another one meanwhile. As large as an amount while the customer
   * has not chosen the token that it comes to.
   */
  header(checkout: Checkout): TemplateResult | string {
    const price = this.priceText()
    if (price && checkout.phase === 'following') {
      const { wire } = checkout.answer
      return formatPrice(text(wire.price), text(wire.priceCurrency))
    }
    if (checkout.phase !== 'choosing' || price === '') return price
    return html`<p class="amount" part="amount"><bdi>${price}</bdi></p>`
  }

  /** Puts the card into its dialog, with the button before it; an inline card stays as it is. */
  frame(card: TemplateResult): TemplateResult {
    if (!this.isInDialog) return card
    const onOpen = () => void this.open()
    const button = html`<button type="button" class="main open" part="button" aria-haspopup="dialog" @click=${onOpen}>
      <slot name="button">${t('payAmount', this.priceText() || this.amount)}</slot>
    </button>`
    return html`${this.host.display === 'button' ? button : nothing}
      <dialog part="dialog" aria-label=${t('card')} @close=${this.closed} @click=${this.clicked}>
        <button type="button" class="shut" part="close" aria-label=${t('close')} @click=${() => this.close()}>×</button>
        ${this.wasOpened ? card : nothing}
      </dialog>`
  }

  /** Empty while no payment is known. */
  private get amount(): string {
    const { amount, currency } = this.host
    return amount && `${formatAmount(amount)} ${currency}`
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

  private readonly closed = (): void => this.emit('sc-close', {})

  /** A click on the backdrop has the dialog itself as its target. */
  private readonly clicked = (event: Event): void => {
    if (event.target === this.dialog) this.close()
  }

  private problems(): Problem[] {
    const { display, price, priceCurrency, amount } = this.host
    const rules: [attribute: string, isKept: boolean, rule: string][] = [
      ['display', displays.includes(display), 'inline, modal or button'],
    ]
    if (this.isPriced)
      rules.push(
        ['price', /^(?=.*[1-9])(0|[1-9]\d{0,14})(\.\d{1,4})?$/.test(price), 'a decimal number above 0, like 19.99'],
        ['price-currency', /^[A-Z]{3}$/.test(priceCurrency), 'a currency code, like EUR'],
        ['amount', amount === '', 'omitted when a price is set'],
      )
    return rules.filter(([, isKept]) => !isKept).map(([attribute, , rule]) => ({ attribute, rule }))
  }
}
