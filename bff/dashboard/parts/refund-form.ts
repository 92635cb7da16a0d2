import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { css, html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantPayment, MerchantRefund } from '../../src/api-types.ts'
import { tokensFor } from '../../src/rates/tokens-for.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import type { AmountInput } from '../ui/amount-input.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney, isMore } from '../ui/format.ts'
import { refundBadge } from '../ui/status-badge.ts'
import { baseStyles } from '../ui/styles.ts'
import './customer-link.ts'

type Rates = { rates: Readonly<Record<string, Readonly<Record<string, number>>>> }

/** Prices that the service converts. */
const pricePattern = /^\d{1,15}(\.\d{1,4})?$/

const styles = css`
  .all {
    display: grid;
    gap: var(--space-3);
    grid-template-columns: minmax(0, 1fr);
  }
  .all > wa-button {
    justify-self: start;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .link {
    display: grid;
    gap: var(--space-1);
    margin-top: var(--space-2);
  }
`

/** The link to send, below its refund. */
const renderLink = ({ id, pageUrl }: MerchantRefund) => html`
  <div class="link">
    <span class="small quiet">${t('payment.link')}</span>
    <customer-link path="refunds/${id}" .link=${pageUrl}></customer-link>
  </div>
`

/**
 * @summary Asks for a refund of a paid payment, which the merchant's own wallet pays.
 * @event payment-changed - A refund was requested.
 */
@customElement('refund-form')
export class RefundForm extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) payment!: MerchantPayment
  /** The sum that can be refunded; null: not known yet. */
  @state() private refundable: string | null = null
  @state() private refunds: readonly MerchantRefund[] = []
  /** The refundable sum when the form was opened. If it changes, entered values are kept. */
  @state() private offered = ''
  @state() private isOpen = false
  @state() private isBusy = false
  /** The refund last requested here. */
  @state() private made: MerchantRefund | null = null
  @state() private fault: unknown
  /** Whether the amount is in the price's currency, and by which rate it is converted. */
  @state() private isPrice = false
  @state() private rateOf: 'then' | 'now' = 'then'
  /** The current rate of the price's currency; null: unknown. */
  @state() private rateNow: string | null = null
  @state() private entered = ''
  /** A repeat with the same terms after a failure requests no second refund. */
  private asked = { terms: '', idempotencyKey: '' }
  /** Counts the reads: only the answer to the last one is shown. */
  private reads = 0

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('payment')) void this.read()
  }

  private async read(): Promise<void> {
    const { payment } = this
    if (payment.outcome === 'pending') return
    this.reads += 1
    const { reads } = this
    const answer = await request<{ refundable: string; refunds: MerchantRefund[] }>(
      `payments/${payment.id}/refunds`,
    ).catch(() => null)
    if (reads !== this.reads) return
    // After a failure an open form keeps what was entered.
    if (answer) {
      this.refundable = answer.refundable
      this.refunds = answer.refunds
    }
    const { priceCurrency, currency } = payment
    if (priceCurrency === null) return
    const { rates } = await request<Rates>('currency/rates').catch(() => ({ rates: {} }) as Rates)
    const rate = rates[currency]?.[priceCurrency]
    this.rateNow = rate === undefined ? null : String(rate)
  }

  /**
   * The entered price in tokens; empty if the entry is invalid or there is no rate. The price of a payment that was accepted with less than
   * the amount due is refunded with what came.
   */
  private get tokens(): string {
    const rate = this.rateOf === 'then' ? this.payment.rate : this.rateNow
    if (rate === null || !pricePattern.test(this.entered)) return ''
    const tokens = tokensFor(this.entered, rate)
    const { amount, amountReceived } = this.payment
    const isMoreThanCame = this.refundable === amountReceived && isMore(tokens, amountReceived ?? '0')
    return isMoreThanCame && !isMore(tokens, amount) ? (amountReceived ?? '') : tokens
  }

  private readonly send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.isBusy) return
    const form = new FormData(event.target as HTMLFormElement)
    const fieldOf = (name: string) => String(form.get(name) ?? '').trim()
    const given = ['amount', 'price', 'address', 'reason'].filter((name) => fieldOf(name) !== '')
    const { priceCurrency } = this.payment
    const conversion = this.isPrice ? { priceCurrency, rate: this.rateOf } : {}
    const body = { ...Object.fromEntries(given.map((name) => [name, fieldOf(name)])), ...conversion }
    this.isBusy = true
    this.fault = undefined
    try {
      const terms = JSON.stringify([this.payment.id, body])
      if (terms !== this.asked.terms) this.asked = { terms, idempotencyKey: crypto.randomUUID() }
      const { idempotencyKey } = this.asked
      const { refund } = await requestConfirmed<{ refund: MerchantRefund }>(`payments/${this.payment.id}/refunds`, {
        method: 'POST',
        body,
        idempotencyKey,
      })
      this.asked = { terms: '', idempotencyKey: '' }
      this.isOpen = false
      this.made = refund
      await this.read()
      this.dispatchEvent(new Event('payment-changed'))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  /** Refuses more than can be refunded before a passkey is asked for. @param amount - Whole tokens; empty: unknown. */
  private refusalOf(amount: string): string {
    const { refundable } = this
    if (refundable === null || amount === '' || !isMore(amount, refundable)) return ''
    return t('refunds.request.text', formatMoney(refundable, this.payment.currency))
  }

  private renderAmount() {
    const { currency } = this.payment
    return html`
      <amount-input
        name="amount"
        label=${t('refunds.request.amount', currency)}
        value=${this.offered}
        required
        .describe=${(amount: string) => t('refunds.request.comesTo', `${amount}\u00a0${currency}`)}
        .verify=${(amount: string) => this.refusalOf(amount)}
      ></amount-input>
    `
  }

  private renderUnit(token: string, currency: string) {
    const change = (event: Event) => {
      this.isPrice = (event.target as HTMLSelectElement).value === 'price'
      this.entered = ''
    }
    return html`
      <label class="field">
        ${t('refunds.request.unit')}
        <select @change=${change}>
          <option value="tokens" ?selected=${!this.isPrice}>${token}</option>
          <option value="price" ?selected=${this.isPrice}>${currency}</option>
        </select>
      </label>
    `
  }

  /** The amount in the currency of the payment's price, at the payment's or the current rate, and in tokens. */
  private renderPrice(currency: string) {
    const { rate, currency: token } = this.payment
    const option = (of: 'then' | 'now', value: string | null) =>
      value === null
        ? nothing
        : html`
            <option value=${of} ?selected=${this.rateOf === of}>
              ${t(`refunds.request.rate.${of}`, `${formatMoney('1', token)} = ${value} ${currency}`)}
            </option>
          `
    const changeRate = (event: Event) => {
      this.rateOf = (event.target as HTMLSelectElement).value === 'now' ? 'now' : 'then'
    }
    const enter = (event: Event) => {
      this.entered = (event.currentTarget as AmountInput).amount ?? ''
    }
    return html`
      <amount-input
        name="price"
        label=${t('refunds.request.amount', currency)}
        required
        .describe=${() => ''}
        .verify=${() => this.refusalOf(this.tokens)}
        @input=${enter}
      ></amount-input>
      <label class="field">
        ${t('refunds.request.rate')}
        <select @change=${changeRate}>${option('then', rate)} ${option('now', this.rateNow)}</select>
      </label>
      ${this.rateNow === null ? html`<p class="small">${t('refunds.request.noRate')}</p>` : nothing}
      <p role="status">${this.tokens ? t('refunds.request.comesTo', formatMoney(this.tokens, token)) : nothing}</p>
    `
  }

  /** Below the button if the dialog was closed before the answer. */
  private renderFault() {
    return this.fault === undefined ? nothing : faultCallout(this.fault)
  }

  private renderForm(refundable: string) {
    const { currency } = this.payment
    return html`
      <form class="stack" @submit=${this.send}>
        <p>${t('refunds.request.text', formatMoney(refundable, currency))}</p>
        ${this.payment.priceCurrency === null ? nothing : this.renderUnit(currency, this.payment.priceCurrency)}
        ${this.isPrice ? this.renderPrice(this.payment.priceCurrency ?? '') : this.renderAmount()}
        <label class="field">
          ${t('refunds.request.address')}
          <input name="address" maxlength="100" autocomplete="off" spellcheck="false" dir="ltr" />
        </label>
        <label class="field">${t('refunds.request.reason')}<input name="reason" maxlength="300" /></label>
        ${this.renderFault()}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${t('refunds.request')}</wa-button>
        </div>
      </form>
    `
  }

  private renderRefunds() {
    const { made, refunds } = this
    // The list may not have been read since.
    const shown = made && !refunds.some(({ id }) => id === made.id) ? [made, ...refunds] : refunds
    if (shown.length === 0) return nothing
    return html`
      <ul class="stack" aria-label=${t('page.refunds')}>
        ${shown.map(
          (refund) => html`
            <li>
              <div class="row">
                <a href="/dashboard/refunds/${refund.id}">
                  ${t('page.refund')}: ${formatMoney(refund.amount, refund.currency)}
                </a>
                ${refundBadge(refund)}
              </div>
              ${made?.id === refund.id && refund.status === 'awaiting_address' ? renderLink(made) : nothing}
            </li>
          `,
        )}
      </ul>
    `
  }

  protected override render(): unknown {
    const { refundable } = this
    const canRefund = may('post /payments/{paymentId}/refunds') && refundable !== null && !/^0\.?0*$/.test(refundable)
    const open = () => {
      this.offered = refundable ?? ''
      this.entered = ''
      this.isOpen = true
      this.made = null
      this.fault = undefined
    }
    const close = () => {
      this.isOpen = false
    }
    return html`
      <div class="all">
        ${canRefund ? html`<wa-button appearance="outlined" @click=${open}>${t('refunds.request')}</wa-button>` : nothing}
        <p role="status" class="small">${this.made ? html`<a href="/dashboard/refunds">${t('refunds.request.done')}</a>` : nothing}</p>
        ${this.isOpen ? nothing : this.renderFault()} ${this.renderRefunds()}
      </div>
      <wa-dialog ?open=${this.isOpen} label=${t('refunds.request')} @wa-after-hide=${close}>
        ${this.isOpen && refundable !== null ? this.renderForm(refundable) : nothing}
      </wa-dialog>
    `
  }
}
