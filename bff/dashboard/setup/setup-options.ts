import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { ask, offeredWith } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

export const providers = { coinbase: 'Coinbase', kraken: 'Kraken', coingecko: 'CoinGecko', ecb: 'ECB' } as const

/** The default provider: it has the most currencies and needs no account. */
const providerFirst = 'coinbase'

/** @summary Payments from other chains, plug-ins of shops, and exchange rates. */
@customElement('setup-options')
export class SetupOptions extends SetupStep {
  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    void this.attempt(async () => {
      const rates = String(form.get('rates') ?? '') || null
      await ask('PUT', 'options', { relay: form.has('relay'), stores: form.has('stores'), rates })
      this.answered()
    })
  }

  protected override render(): unknown {
    const { options, shop } = this.setup.answers
    const isRateNeeded = shop !== null && shop.currency !== 'USD'
    const rates = options.rates ?? (isRateNeeded ? providerFirst : null)
    const canRelay = offeredWith('forwarder', this.setup).some((one) => one.canRelay)
    return html`
      <form class="stack" @submit=${this.save} novalidate>
        ${
          canRelay
            ? html`
              <label class="row">
                <input type="checkbox" name="relay" .checked=${options.relay} />
                <span>${s('options.relay')} <span class="quiet small">${s('options.relay.text')}</span></span>
              </label>
            `
            : nothing
        }
        <label class="row">
          <input type="checkbox" name="stores" .checked=${options.stores} />
          <span>${s('options.stores')} <span class="quiet small">${s('options.stores.text')}</span></span>
        </label>
        <label class="field">
          ${isRateNeeded ? s('options.rates.needed', shop.currency) : s('options.rates')}
          <select name="rates" aria-invalid=${this.isWrong('rates')} aria-describedby="error-rates">
            ${
              isRateNeeded
                ? nothing
                : html`<option value="" ?selected=${rates === null}>${s('options.rates.none')}</option>`
            }
            ${Object.entries(providers).map(
              ([code, name]) => html`<option value=${code} ?selected=${code === rates}>${name}</option>`,
            )}
          </select>
        </label>
        ${this.errorOf('rates')}
        ${this.renderFault('rates')}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${s('continue')}</wa-button>
        </div>
      </form>
    `
  }
}
