import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import type { PaymentLink } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { merchantCurrency } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import type { AmountInput } from '../ui/amount-input.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { type LinkToken, symbolsOf } from '../ui/link-money.ts'
import { linkTermsOf } from '../ui/link-terms.ts'
import { baseStyles } from '../ui/styles.ts'
import './link-preview.ts'

const styles = css`
  .both {
    display: grid;
    gap: 1.5rem;
    grid-template-columns: minmax(0, 1fr) 18rem;
    align-items: start;
  }
  .two {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr));
    align-items: start;
  }
  summary {
    padding-block: 0.5rem;
    font-weight: 500;
  }
  @media (max-width: 50rem) {
    .both {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`

/**
 * @summary Creates a payment link from a description, an amount and its unit; the rest is under "More options". Previews the customer's
 * page.
 * @event link-made - With the link in `detail`.
 */
@customElement('link-form')
export class LinkForm extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) currencies: readonly string[] = []
  @property({ attribute: false }) tokens: readonly LinkToken[] = []
  @query('form') private form!: HTMLFormElement
  @query('amount-input') private amount!: AmountInput
  @query('select[name=unit]') private unitField!: HTMLSelectElement
  @query('select[name=token]') private tokenField!: HTMLSelectElement
  @state() private isBusy = false
  @state() private fault: unknown
  /** The request body for the current fields. */
  @state() private terms: Record<string, string | number> = {}
  /** A repeat with the same terms after a failure creates no second link. */
  private asked = { terms: '', idempotencyKey: '' }

  /** Called by the dialog that contains this form. */
  override focus(): void {
    this.renderRoot.querySelector('input')?.focus()
  }

  /** The unit may be the shop's currency at first. */
  protected override firstUpdated(): void {
    void this.readTerms()
  }

  /** What customers are asked for, before the link is made: in the price's currency, else in the token, else in any of them. */
  private pays(amount: string): string {
    const { priceCurrency, currency } = this.terms
    return t('links.pays', `${amount}\u00a0${priceCurrency ?? currency ?? symbolsOf(this.tokens)}`)
  }

  /** The amount's field gives the form its value after it has rendered. */
  private readonly readTerms = async (): Promise<void> => {
    await this.amount.updateComplete
    this.terms = linkTermsOf(new FormData(this.form))
  }

  /** Resets a network that was chosen for another token. */
  private readonly unitChanged = (): void => {
    const [kind, symbol] = this.unitField.value.split(' ')
    if (kind === 'token' && !this.tokenField.value.endsWith(` ${symbol}`)) this.tokenField.value = ''
  }

  /** Sets a token unit to the token that is now chosen with its network. */
  private readonly tokenChanged = (): void => {
    const [, symbol] = this.tokenField.value.split(' ')
    if (symbol !== undefined && this.unitField.value.startsWith('token ')) this.unitField.value = `token ${symbol}`
  }

  private readonly make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (this.isBusy) return
    this.isBusy = true
    this.fault = undefined
    try {
      const body = linkTermsOf(new FormData(this.form))
      const terms = JSON.stringify(body)
      if (terms !== this.asked.terms) this.asked = { terms, idempotencyKey: crypto.randomUUID() }
      const { idempotencyKey } = this.asked
      const { link } = await request<{ link: PaymentLink }>('links', { idempotencyKey, body })
      this.asked = { terms: '', idempotencyKey: '' }
      this.form.reset()
      await this.readTerms()
      this.dispatchEvent(new CustomEvent<PaymentLink>('link-made', { detail: link }))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  private renderUnit() {
    const symbols = [...new Set(this.tokens.map(({ symbol }) => symbol))]
    return html`
      <label class="field">
        ${t('links.unit')}
        <select name="unit" @change=${this.unitChanged}>
          <option value="">${symbolsOf(this.tokens)}</option>
          ${symbols.length > 1 ? symbols.map((symbol) => html`<option value="token ${symbol}">${symbol}</option>`) : nothing}
          ${this.currencies.map(
            (code) => html`<option value="price ${code}" ?selected=${code === merchantCurrency()}>${code}</option>`,
          )}
        </select>
      </label>
    `
  }

  private renderMore() {
    // Opens the section if a field in it is invalid, because a hidden field cannot show its error.
    const open = {
      handleEvent: ({ currentTarget }: Event) => (currentTarget as Element).setAttribute('open', ''),
      capture: true,
    }
    return html`
      <details @invalid=${open}>
        <summary>${t('links.more')}</summary>
        <div class="stack">
          <label class="field">
            ${t('payments.network')}
            <select name="token" @change=${this.tokenChanged}>
              <option value="">${t('links.customerChooses')}</option>
              ${this.tokens.map(
                ({ symbol, Network }) =>
                  html`<option value="${Network.shortName} ${symbol}">${symbol} · ${Network.name}</option>`,
              )}
            </select>
          </label>
          <div class="two">
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
        </div>
      </details>
    `
  }

  protected override render(): unknown {
    return html`
      <div class="both">
        <form class="stack" @submit=${this.make} @input=${this.readTerms} @change=${this.readTerms}>
          <label class="field">
            ${t('links.description')}
            <input name="description" maxlength="500" placeholder=${t('links.description.hint')} autocomplete="off" />
          </label>
          <div class="two">
            <amount-input name="money" label=${t('links.price')} required .describe=${(amount: string) => this.pays(amount)}></amount-input>
            ${this.renderUnit()}
          </div>
          ${this.renderMore()} ${this.fault === undefined ? nothing : faultCallout(this.fault)}
          <button type="submit" hidden></button>
          <div class="row">
            <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${t('links.make')}</wa-button>
          </div>
        </form>
        <link-preview .terms=${this.terms} .tokens=${this.tokens}></link-preview>
      </div>
    `
  }
}
