import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantPayment } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

/**
 * @summary Asks for a refund of a paid payment, which the merchant's own wallet pays.
 * @event payment-changed - A refund was requested.
 */
@customElement('refund-form')
export class RefundForm extends LitElement {
  static override styles = baseStyles
  @property({ attribute: false }) payment!: MerchantPayment
  /** The sum that can be refunded; null: not known yet. */
  @state() private refundable: string | null = null
  @state() private isOpen = false
  @state() private isBusy = false
  @state() private isDone = false
  @state() private fault: unknown

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('payment')) void this.read()
  }

  private async read(): Promise<void> {
    if (this.payment.outcome === 'pending' || !may('post /payments/{paymentId}/refunds')) return
    const answer = await request<{ refundable: string }>(`payments/${this.payment.id}/refunds`).catch(() => null)
    this.refundable = answer?.refundable ?? null
  }

  private readonly send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.isBusy) return
    const form = new FormData(event.target as HTMLFormElement)
    const fieldOf = (name: string) => String(form.get(name) ?? '').trim()
    const given = ['amount', 'address', 'reason'].filter((name) => fieldOf(name) !== '')
    const body = Object.fromEntries(given.map((name) => [name, fieldOf(name)]))
    this.isBusy = true
    this.fault = undefined
    try {
      await requestConfirmed(`payments/${this.payment.id}/refunds`, { method: 'POST', body })
      this.isOpen = false
      this.isDone = true
      await this.read()
      this.dispatchEvent(new Event('payment-changed'))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  private renderForm(refundable: string) {
    const { currency } = this.payment
    return html`
      <form class="stack" @submit=${this.send}>
        <p>${t('refunds.request.text', formatMoney(refundable, currency))}</p>
        <label class="field">
          ${t('refunds.request.amount', currency)}
          <input name="amount" required inputmode="decimal" pattern="\\d+(\\.\\d+)?" dir="ltr" .value=${refundable} />
        </label>
        <label class="field">
          ${t('refunds.request.address')}
          <input name="address" maxlength="100" autocomplete="off" spellcheck="false" dir="ltr" />
        </label>
        <label class="field">${t('refunds.request.reason')}<input name="reason" maxlength="300" /></label>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${t('refunds.request')}</wa-button>
        </div>
      </form>
    `
  }

  protected override render(): unknown {
    const { refundable } = this
    const canRefund = refundable !== null && !/^0\.?0*$/.test(refundable)
    const open = () => {
      this.isOpen = true
      this.isDone = false
      this.fault = undefined
    }
    const close = () => {
      this.isOpen = false
    }
    return html`
      ${canRefund ? html`<wa-button appearance="outlined" @click=${open}>${t('refunds.request')}</wa-button>` : nothing}
      <p role="status" class="small">
        ${this.isDone ? html`<a href="/dashboard/refunds">${t('refunds.request.done')}</a>` : nothing}
      </p>
      <wa-dialog ?open=${this.isOpen} label=${t('refunds.request')} @wa-after-hide=${close}>
        ${this.isOpen && refundable !== null ? this.renderForm(refundable) : nothing}
      </wa-dialog>
    `
  }
}
