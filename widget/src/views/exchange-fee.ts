import { html, nothing, type TemplateResult } from 'lit'
import { addDecimals } from '../decimals.ts'
import { t } from '../locales/locale.ts'
import type { CheckoutHost } from '../part.ts'
import { toSend } from '../payment.ts'
import { copyButton } from '../ui/copy.ts'
import { icon } from '../ui/icon.ts'
import { viewNumber, withUnit } from './frame.ts'
import type { View } from './view.ts'

const feePattern = /^\d{1,12}([.,]\d{1,18})?$/

/** For customers who pay from an exchange that deducts its fee: the amount to enter, so that enough arrives. */
export class ExchangeFee {
  isOpen = false
  private readonly host: CheckoutHost
  private fee = ''

  constructor(host: CheckoutHost) {
    this.host = host
  }

  toggle(): void {
    this.isOpen = !this.isOpen
    this.host.requestUpdate()
  }

  view(view: View): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing
    const { payment } = view.following.answer
    const isFee = feePattern.test(this.fee)
    // A comma is the decimal separator in many countries.
    const sum = isFee ? addDecimals(toSend(payment), this.fee.replace(',', '.')) : ''
    return html`<div class="panel form" id="exchange">
      <p>${t('exchangeText', withUnit(toSend(payment), payment))}</p>
      <label class="field">${t('exchangeFee', payment.currency)}
        <input type="text" dir="ltr" inputmode="decimal" autocomplete="off" maxlength="31" .value=${this.fee}
          aria-invalid=${this.fee && !isFee ? 'true' : nothing} @input=${this.write} />
      </label>
      ${this.fee && !isFee ? html`<p class="problem" role="alert">${icon('warning')}${t('exchangeBad')}</p>` : nothing}
      ${
        sum
          ? html`<p class="label">${t('exchangeSum')}</p>
              <div class="row sum"><bdi class="lead">${viewNumber('sum', sum)} ${payment.currency}</bdi>${copyButton('sum', t('exchangeSum'), sum, view)}</div>`
          : nothing
      }
      <p class="label">${t('exchangeNetwork', payment.network)}</p>
    </div>`
  }

  private readonly write = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.fee = target.value.trim()
    this.host.requestUpdate()
  }
}
