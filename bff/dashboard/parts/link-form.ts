import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { PaymentLink } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { linkTermsOf } from '../ui/link-terms.ts'
import { baseStyles } from '../ui/styles.ts'

const styles = css`
  .two {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr) 7rem;
  }
`

type Token = { symbol: string; Network: { shortName: string; name: string } }

/**
 * @summary Creates a payment link.
 * @event link-made - With the link in `detail`.
 */
@customElement('link-form')
export class LinkForm extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) currencies: readonly string[] = []
  @property({ attribute: false }) tokens: readonly Token[] = []
  @state() private isBusy = false
  @state() private fault: unknown
  /** A repeat with the same terms after a failure creates no second link. */
  private asked = { terms: '', idempotencyKey: '' }

  @state() private priceCurrency = ''
  @state() private token = ''

  private get symbols(): string {
    return [...new Set(this.tokens.map(({ symbol }) => symbol))].join(' / ')
  }

  /** What customers are asked for, before the link is made: in the price's currency, else in the token, else in any of them. */
  private pays(amount: string): string {
    const [, symbol = ''] = this.token.split(' ')
    return t('links.pays', `${amount}\u00a0${this.priceCurrency || symbol || this.symbols}`)
  }

  private readonly make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.isBusy) return
    const form = event.target as HTMLFormElement
    this.isBusy = true
    this.fault = undefined
    try {
      const body = linkTermsOf(new FormData(form))
      const terms = JSON.stringify(body)
      if (terms !== this.asked.terms) this.asked = { terms, idempotencyKey: crypto.randomUUID() }
      const { idempotencyKey } = this.asked
      const { link } = await request<{ link: PaymentLink }>('links', { idempotencyKey, body })
      this.asked = { terms: '', idempotencyKey: '' }
      form.reset()
      this.priceCurrency = ''
      this.token = ''
      this.dispatchEvent(new CustomEvent<PaymentLink>('link-made', { detail: link }))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  protected override render(): unknown {
    return html`
      <form class="stack" @submit=${this.make}>
        <div class="two">
          <amount-input name="money" label=${t('links.price')} required .describe=${(amount: string) => this.pays(amount)}></amount-input>
          <label class="field">
            ${t('links.priceIn')}
            <select
              name="priceCurrency"
              @change=${({ target }: Event) => {
                this.priceCurrency = (target as HTMLSelectElement).value
              }}
            >
              <option value="">${this.symbols}</option>
              ${this.currencies.map((code) => html`<option value=${code}>${code}</option>`)}
            </select>
          </label>
        </div>
        <label class="field">
          ${t('links.description')}
          <input name="description" maxlength="500" placeholder=${t('links.description.hint')} />
        </label>
        <label class="field">
          ${t('payments.network')}
          <select
            name="token"
            @change=${({ target }: Event) => {
              this.token = (target as HTMLSelectElement).value
            }}
          >
            <option value="">${t('links.customerChooses')}</option>
            ${this.tokens.map(
              ({ symbol, Network }) =>
                html`<option value="${Network.shortName} ${symbol}">${symbol} · ${Network.name}</option>`,
            )}
          </select>
        </label>
        <div class="grid">
          <label class="field">
            ${t('links.times')}
            <input name="maxPayments" type="number" min="1" max="10000" value="1" required />
          </label>
          <label class="field">
            ${t('links.expires')}
            <input name="expiresAt" type="datetime-local" />
          </label>
        </div>
        <label class="field">
          ${t('links.orderId')}
          <input name="orderId" maxlength="100" autocomplete="off" />
        </label>
        <label class="field">
          ${t('links.returnUrl')}
          <input name="returnUrl" type="url" maxlength="2000" placeholder="https://" autocomplete="off" />
        </label>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
        <button type="submit" hidden></button>
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${t('links.make')}</wa-button>
        </div>
      </form>
    `
  }
}
