import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { RefusedCalls } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'
import { may } from '../api/session.ts'
import { type LanguageCode, languageNames, t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { exampleMoney } from '../ui/example-money.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'
import { shopCurrency } from '../ui/shop-currency.ts'
import type { Rates } from '../ui/shop-total.ts'

const themes = ['auto', 'light', 'dark'] as const
const displays = ['inline', 'modal', 'button'] as const
/** The element's languages, the same as the dashboard's; first the language of the page that contains the tag. */
const languages = ['', ...(Object.keys(languageNames) as LanguageCode[])] as const

/** A token that can be paid on a network now. */
type Coin = { symbol: string; currency: string; Network: { shortName: string } }

type Payable = { stablecoins: Coin[] }

type ListedKey = { key: string; kind: 'public' | 'test' | 'api'; isGood: boolean; endsAt: string | null }

type DevelopersData = RefusedCalls & Payable & { rates: Rates; publicKey: string | null }

/** @summary Embedding code for the element, and refused API calls. */
@customElement('developers-page')
export class DevelopersPage extends Page<DevelopersData> {
  @state() private theme: (typeof themes)[number] = 'auto'
  @state() private display: (typeof displays)[number] = 'inline'
  @state() private language: (typeof languages)[number] = ''
  /** The test payment in the preview; null until requested. */
  @state() private previewId: string | null = null
  @state() private refusal: unknown

  protected heading(): string {
    return t('page.developers')
  }

  protected async load(signal: AbortSignal): Promise<DevelopersData> {
    const [errors, payable, { rates }, publicKey] = await Promise.all([
      request<RefusedCalls>('reports/errors', { signal }),
      request<Payable>('networks/payable/stablecoins', { signal }),
      // Without exchange rates the example has an amount in tokens.
      request<{ rates: Rates }>('currency/rates', { signal }).catch(() => ({ rates: {} })),
      may('get /dashboard/keys') ? loadPublicKey(signal) : null,
    ])
    return { ...errors, ...payable, rates, publicKey }
  }

  protected renderData(data: DevelopersData): unknown {
    return html`
      <section class="card">
        <h2>${t('developers.snippet')}</h2>
        <p>${data.publicKey === null ? `${t('developers.snippetKey')} ` : ''}${t('developers.snippetNote')}</p>
        ${this.renderChoices()}
        ${data.stablecoins.map((coin) => this.renderSnippet(coin)).at(0) ?? renderNothingPayable()}
        <p><a href="/docs" target="_blank" rel="noopener">${t('developers.reference')}</a></p>
        ${this.refusal === undefined ? nothing : faultCallout(this.refusal)}
        ${this.previewId === null ? nothing : this.renderPreview(this.previewId)}
      </section>
      <section class="card">
        <h2>${t('developers.errors')}</h2>
        <p class="quiet small">${t('developers.errorsNote')}</p>
        ${data.errors.length === 0 ? html`<p>${t('developers.noErrors')}</p>` : renderErrors(data.errors)}
      </section>
    `
  }

  private renderChoices() {
    const choose =
      <Value extends string>(values: readonly Value[], set: (value: Value) => void) =>
      (event: Event) => {
        const chosen = values[(event.target as HTMLSelectElement).selectedIndex]
        if (chosen !== undefined) set(chosen)
      }
    return html`
      <div class="row">
        <label class="field">
          ${t('app.theme')}
          <select @change=${choose(themes, (theme) => (this.theme = theme))}>
            ${themes.map((one) => html`<option ?selected=${one === this.theme}>${t(`app.theme.${one}`)}</option>`)}
          </select>
        </label>
        <label class="field">
          ${t('app.language')}
          <select @change=${choose(languages, (language) => (this.language = language))}>
            ${languages.map(
              (one) =>
                html`<option lang=${one || nothing} ?selected=${one === this.language}>
                  ${one ? languageNames[one] : t('developers.ownLanguage')}
                </option>`,
            )}
          </select>
        </label>
        <label class="field">
          ${t('developers.display')}
          <select @change=${choose(displays, (display) => (this.display = display))}>
            ${displays.map((one) => html`<option ?selected=${one === this.display}>${t(`developers.display.${one}`)}</option>`)}
          </select>
        </label>
      </div>
    `
  }

  /** The snippet names a token that can be paid now, so that the element works where it is pasted. */
  private renderSnippet(coin: Coin) {
    const snippet = this.snippet(coin)
    return html`
      <pre tabindex="0">${snippet}</pre>
      <div class="row">
        <copy-text look="button" text=${snippet} label=${t('developers.snippet')}></copy-text>
        ${
          may('post /sandbox/payments/create')
            ? html`<wa-button appearance="outlined" @click=${() => this.showPreview(coin)}>${t('developers.preview')}</wa-button>`
            : nothing
        }
      </div>
    `
  }

  /** The shop's currency, if the service converts it into this token. */
  private currencyFor({ symbol, currency: own }: Coin): string {
    const currency = shopCurrency()
    return this.data?.rates[symbol]?.[currency] ? currency : own
  }

  private snippet(coin: Coin): string {
    const { symbol, Network } = coin
    const { origin } = location
    const attributes = [
      `public-key="${this.data?.publicKey ?? `${isTestMode() ? 'pk_test' : 'pk_live'}_…`}"`,
      ...exampleMoney(this.currencyFor(coin), coin.currency),
      `currency="${symbol}"`,
      `network="${Network.shortName}"`,
      'order-id="A-1042"',
      ...(this.language ? [`lang="${this.language}"`] : []),
      ...(this.theme === 'auto' ? [] : [`theme="${this.theme}"`]),
      ...(this.display === 'inline' ? [] : [`display="${this.display}"`]),
    ]
    return `<script type="module" src="${origin}/stablecoin-checkout.js"></script>\n\n<stablecoin-checkout ${attributes.join('\n  ')}></stablecoin-checkout>`
  }

  /** Shows the service's own element with a test payment, which is on no chain. */
  private async showPreview({ symbol, Network: { shortName } }: Coin): Promise<void> {
    this.refusal = undefined
    try {
      const body = { amount: '25.00', currency: symbol, network: shortName }
      const { payment } = await request<{ payment: { id: string } }>('sandbox/payments/create', { body })
      if (!customElements.get('stablecoin-checkout'))
        await import(/* @vite-ignore */ `${location.origin}/stablecoin-checkout.js`)
      this.previewId = payment.id
    } catch (fault) {
      this.refusal = fault
    }
  }

  private renderPreview(id: string) {
    return html`
      <stablecoin-checkout
        payment-id=${id}
        lang=${this.language || nothing}
        theme=${this.theme}
        display=${this.display}
        api-base=${location.origin}
      ></stablecoin-checkout>
    `
  }
}

/** The valid key that stays valid: the test key while test data is shown, else the live one; null: there is none. */
async function loadPublicKey(signal: AbortSignal): Promise<string | null> {
  const kind = isTestMode() ? 'test' : 'public'
  const { keys } = await request<{ keys: ListedKey[] }>('dashboard/keys', { signal })
  return keys.find((one) => one.kind === kind && one.isGood && one.endsAt === null)?.key ?? null
}

/** A snippet that names a network where nothing can be paid would fail in the shop. */
function renderNothingPayable() {
  return html`
    <p>${t('developers.notPayable')}</p>
    <div class="row">
      <wa-button size="s" appearance="outlined" href="/dashboard/wallets">${t('home.setup.wallet')}</wa-button>
      ${
        may('get /system')
          ? html`<wa-button size="s" appearance="outlined" href="/dashboard/system">${t('home.setup.network')}</wa-button>`
          : nothing
      }
    </div>
  `
}

function renderErrors(errors: RefusedCalls['errors']) {
  return html`
    <div class="scroll" role="region" aria-label=${t('developers.errors')} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('webhooks.time')}</th>
            <th scope="col">${t('developers.call')}</th>
            <th scope="col">${t('developers.status')}</th>
            <th scope="col">${t('developers.field')}</th>
            <th scope="col">${t('developers.requestId')}</th>
          </tr>
        </thead>
        <tbody>
          ${errors.map(
            ({ at, method, route, status, code, field, requestId }) => html`
              <tr>
                <td class="number">${formatTime(at)}</td>
                <td><code>${method} ${route}</code></td>
                <td>${status} <code>${code}</code></td>
                <td>${field === null ? nothing : html`<code>${field}</code>`}</td>
                <td><code>${requestId}</code></td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `
}
