import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { loadSession, may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { forgetShopCurrency, standardCurrency } from '../ui/shop-currency.ts'
import { knownCurrencies, type Rates } from '../ui/shop-total.ts'

/** The service stores shares in hundredths of a percent. */
const bpsPerPercent = 100

type Settings = {
  name: string
  tolerance: string
  latePayments: 'report' | 'accept'
  publicReports: boolean
  currency: string | null
}

/** `currencies`: those that a token has a rate in, sorted. */
type Data = Settings & { currencies: readonly string[] }

/** @summary The shop's name, and what counts as paid. */
@customElement('settings-page')
export class SettingsPage extends ChangingPage<Data> {
  protected heading(): string {
    return t('page.settings')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [{ settings }, { rates }] = await Promise.all([
      request<{ settings: Settings }>('dashboard/settings', { signal }),
      // Without exchange rates the currency stays as it is.
      request<{ rates: Rates }>('currency/rates', { signal }).catch((): { rates: Rates } => ({ rates: {} })),
    ])
    const own = settings.currency === null ? [] : [settings.currency]
    const currencies = [...new Set([...own, ...knownCurrencies(Object.keys(rates), rates)])].sort()
    return { ...settings, currencies }
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const body = {
      name: form.get('name'),
      tolerance: `${Math.round(Number(form.get('percent')) * bpsPerPercent)},${form.get('most')}`,
      latePayments: form.get('latePayments'),
      publicReports: form.get('publicReports') === 'on',
      currency: form.get('currency') || null,
    }
    void this.change('shop', () => this.send(body), t('settings.saved'))
  }

  private async send(body: { currency: unknown }): Promise<void> {
    await requestConfirmed('dashboard/settings', { method: 'PATCH', body })
    if (body.currency === (this.data?.currency ?? null)) return
    // Whoever changes the shop's currency reads totals in it, also after choosing another on the home page.
    forgetShopCurrency()
    await loadSession()
  }

  protected renderData({ name, tolerance, latePayments, publicReports, currency, currencies }: Data) {
    const [bps, most = '0.00'] = tolerance.split(',')
    const isFixed = !may('patch /dashboard/settings')
    return html`
      <form class="card" aria-labelledby="shop" @submit=${this.save}>
        <h2 id="shop">${t('settings.shop')}</h2>
        <label class="field">
          ${t('settings.name')}<input name="name" .value=${name} required maxlength="100" ?disabled=${isFixed} />
        </label>
        <div class="stack" role="group" aria-labelledby="tolerance">
          <div id="tolerance">${t('settings.tolerance')}</div>
          <div class="row">
          <label class="field">
            ${t('settings.tolerance.percent')}
            <input
              name="percent"
              type="number"
              min="0"
              max="100"
              step="0.01"
              .value=${String(Number(bps) / bpsPerPercent)}
              required
              ?disabled=${isFixed}
            />
          </label>
          <amount-input
            name="most"
            label=${t('settings.tolerance.most')}
            value=${most}
            required
            ?disabled=${isFixed}
          ></amount-input>
          </div>
        </div>
        <label class="field">
          ${t('settings.late')}
          <select name="latePayments" ?disabled=${isFixed}>
            ${(['report', 'accept'] as const).map(
              (value) =>
                html`<option value=${value} ?selected=${value === latePayments}>${t(`settings.late.${value}`)}</option>`,
            )}
          </select>
        </label>
        <div>
          <label class="field">
            ${t('home.currency')}
            <select name="currency" aria-describedby="currency-note" ?disabled=${isFixed}>
              <option value="">${t('settings.currency.none', standardCurrency)}</option>
              ${currencies.map((code) => html`<option value=${code} ?selected=${code === currency}>${code}</option>`)}
            </select>
          </label>
          <div class="small quiet" id="currency-note">${t('settings.currency.note')}</div>
        </div>
        <label class="row">
          <input type="checkbox" name="publicReports" ?checked=${publicReports} ?disabled=${isFixed} />
          ${t('settings.reports')}
        </label>
        ${
          isFixed
            ? nothing
            : html`<div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('action.save')}</wa-button></div>`
        }
        ${this.renderResult('shop')}
      </form>
    `
  }
}
