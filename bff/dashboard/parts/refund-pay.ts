import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantRefund } from '../../src/api-types.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney } from '../ui/format.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'
import { baseStyles } from '../ui/styles.ts'
import './refund-payment.ts'

const styles = css`
  .qr {
    display: block;
    width: min(100%, 14rem);
    margin: 0 auto;
  }
`

/**
 * @summary How to pay one refund: by a wallet of this browser, or by a transfer; otherwise, why nothing is to be paid.
 * @event refund-sent - A wallet has sent the payment, or a transaction that pays it was named.
 */
@customElement('refund-pay')
export class RefundPay extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) refund!: MerchantRefund
  @property({ attribute: false }) qr: QrCode | null = null
  @state() private isBusy = false
  @state() private fault: unknown

  private readonly verify = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.isBusy) return
    const transactionHash = String(new FormData(event.target as HTMLFormElement).get('transaction') ?? '').trim()
    this.isBusy = true
    this.fault = undefined
    try {
      await requestConfirmed(`refunds/${this.refund.id}/verify`, { method: 'POST', body: { transactionHash } })
      this.dispatchEvent(new Event('refund-sent', { bubbles: true, composed: true }))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  private renderTransfer({ remaining, currency, networkName, address, ownAddressesPay }: MerchantRefund) {
    const text = ownAddressesPay ? 'refunds.pay.text.own' : 'refunds.pay.text'
    return html`
      <p>${t(text, formatMoney(remaining, currency), networkName)}</p>
      <p class="copied">
        <code dir="ltr">${address}</code><copy-text text=${address ?? ''} label=${t('action.copy')}></copy-text>
      </p>
      ${this.qr ? qrPicture(this.qr, t('refunds.qr')) : nothing}
      <form class="stack" @submit=${this.verify}>
        <label class="field">
          ${t('refunds.pay.other')}
          <input name="transaction" required maxlength="100" autocomplete="off" spellcheck="false" dir="ltr" />
        </label>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
        <div class="row">
          <wa-button type="submit" appearance="outlined" ?loading=${this.isBusy}>${t('refunds.verify')}</wa-button>
        </div>
      </form>
    `
  }

  protected override render(): unknown {
    const { refund } = this
    const { status, wallet, prompt } = refund
    if (status !== 'to_pay') return html`<p role="status">${t(`refund.state.${status}`)}</p>`
    // One template for both states: a wallet may be prompted while the refund changes, and its element must stay.
    const isPrompted = prompt !== null
    return html`
      <div class="stack">
        ${wallet && !isPrompted ? html`<h3>${t('refunds.wallet')}</h3>` : nothing}
        ${wallet || isPrompted ? html`<refund-payment .refunds=${[refund]}></refund-payment>` : nothing}
        ${wallet && !isPrompted ? html`<h3>${t('refunds.byTransfer')}</h3>` : nothing}
        ${isPrompted ? nothing : this.renderTransfer(refund)}
      </div>
    `
  }
}
