import { html } from 'lit'
import { customElement, query, state } from 'lit/decorators.js'
import { currentLanguage, languageNames } from '../locales/locale.ts'
import '../parts/brand-fields.ts'
import type { BrandFields } from '../parts/brand-fields.ts'
import { ask } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** Offered first; any other code can be typed. */
const commonCurrencies = ['USD', 'EUR', 'GBP', 'BRL', 'CHF', 'IDR', 'INR', 'JPY', 'KES', 'MXN', 'NGN', 'TRY', 'VND']

/** @summary Name, language and currency of the shop. */
@customElement('setup-shop')
export class SetupShop extends SetupStep {
  @state() private name = ''
  @query('brand-fields') private brand!: BrandFields

  override connectedCallback(): void {
    super.connectedCallback()
    this.name = this.setup.answers.shop?.name ?? ''
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    void this.attempt(async () => {
      const currency = text('currency').toUpperCase()
      const changes = this.brand.changes()
      await ask('PUT', 'shop', { name: text('name'), language: text('language'), currency, ...changes })
      this.answered()
    })
  }

  protected override render(): unknown {
    const shop = this.setup.answers.shop
    const language = shop?.language ?? currentLanguage()
    return html`
      <form class="stack" @submit=${this.save} novalidate>
        <label class="field">
          ${s('shop.name')}
          <input
            name="name"
            autocomplete="organization"
            maxlength="100"
            .value=${this.name}
            @input=${(event: Event) => {
              this.name = (event.target as HTMLInputElement).value
            }}
            aria-invalid=${this.isWrong('name')}
            aria-describedby="error-name"
          />
        </label>
        ${this.errorOf('name')}
        <div class="pair">
        <label class="field">
          ${s('shop.language')}
          <select name="language">
            ${Object.entries(languageNames).map(
              ([code, name]) =>
                html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          ${s('shop.currency')}
          <input
            name="currency"
            list="currencies"
            maxlength="3"
            autocomplete="off"
            spellcheck="false"
            .value=${shop?.currency ?? 'USD'}
            aria-invalid=${this.isWrong('currency')}
            aria-describedby="error-currency"
          />
        </label>
        </div>
        ${this.errorOf('currency')}
        <datalist id="currencies">${commonCurrencies.map((code) => html`<option value=${code}></option>`)}</datalist>
        <fieldset>
          <legend>${s('shop.brand')}</legend>
          <p class="quiet small">${s('shop.brand.text')}</p>
          <brand-fields
            .name=${this.name.trim() || s('shop.title')}
            .storedColor=${shop?.color ?? null}
            .storedLogo=${shop?.logo ?? null}
          ></brand-fields>
          ${this.errorOf('logo')} ${this.errorOf('color')}
        </fieldset>
        ${this.renderFault('name', 'currency', 'logo', 'color')}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${s('continue')}</wa-button>
        </div>
      </form>
    `
  }
}
