import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { requestConfirmed } from '../api/confirm.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { baseStyles } from '../ui/styles.ts'

/** @summary The link of a customer's page, shown after the passkey unless given: whoever has it can name the address of a refund. */
@customElement('customer-link')
export class CustomerLink extends LitElement {
  static override styles = baseStyles
  /** Of the payment or refund, below `/api/v1/`. */
  @property() path = ''
  /** Null until it is shown; set where the link is already known. */
  @property({ attribute: false }) link: string | null = null
  @state() private isBusy = false
  @state() private fault: unknown

  /** Another payment or refund on the same page. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('path') && !changed.has('link')) this.link = null
  }

  private readonly show = async (): Promise<void> => {
    if (this.isBusy) return
    const { path } = this
    this.isBusy = true
    this.fault = undefined
    try {
      const { link } = await requestConfirmed<{ link: string }>(`${path}/customer-link`, { method: 'POST' })
      if (path === this.path) this.link = link
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  protected override render(): unknown {
    const { link } = this
    if (link === null)
      return html`
        <div class="stack">
          <div class="row">
            <wa-button appearance="outlined" size="s" ?loading=${this.isBusy} @click=${this.show}>
              ${t('payment.link.show')}
            </wa-button>
          </div>
          ${this.fault === undefined ? nothing : faultCallout(this.fault)}
        </div>
      `
    return html`
      <div class="copied">
        <a href=${link} target="_blank" rel="noreferrer">${cutText(link)}</a>
        <copy-text text=${link} label=${t('payment.link')}></copy-text>
      </div>
    `
  }
}
