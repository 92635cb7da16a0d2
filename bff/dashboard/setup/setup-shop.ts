import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { currentLanguage, languageNames } from '../locales/locale.ts'
import { ask } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** Offered first; any other code can be typed. */
const commonCurrencies = ['USD', 'EUR', 'GBP', 'BRL', 'CHF', 'IDR', 'INR', 'JPY', 'KES', 'MXN', 'NGN', 'TRY', 'VND']

/** @summary Name, language and currency of the shop. */
@customElement('setup-shop')
export class SetupShop extends SetupStep {
  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    void this.attempt(async () => {
      const currency = text('currency').toUpperCase()
      await ask('PUT', 'shop', { name: text('name'), language: text('language'), currency })
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
            .value=${shop?.name ?? ''}
            aria-invalid=${this.isWrong('name')}
            aria-describedby="error-name"
          />
        </label>
        ${this.errorOf('name')}
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
        ${this.errorOf('currency')}
        <datalist id="currencies">${commonCurrencies.map((code) => html`<option value=${code}></option>`)}</datalist>
        ${this.renderFault('name', 'currency')}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${s('continue')}</wa-button>
        </div>
      </form>
    `
  }
}
