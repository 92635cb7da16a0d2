import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { emptyState } from '../ui/empty-state.ts'
import { formatTime } from '../ui/format.ts'
import { navigate } from '../ui/navigate.ts'

type Store = {
  id: string
  label: string
  shopOrigin: string | null
  permissions: string[]
  createdAt: string
  revokedAt: string | null
}
type Webhook = { id: string; url: string; enabled: boolean; failingSince: string | null }
type Stores = { stores: Store[]; webhooks: Webhook[] }
type NewWebhook = { webhook: { url: string }; secret: string }

/** The configuration to add. The part cannot be turned on while the service runs, because its code is not loaded. */
const configurationLine = '"parts": { "stores": true }'

/** The permissions of a plug-in whose owner pastes a key: everything but refunds and changes. */
const byHandPermissions = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.webhooks.canmodifywebhooks',
]

/** What a permission allows, in the reader's language. */
export const permissionText = (permission: string): string => {
  const name = permission.replace('btcpay.store.', '').split(':')[0] ?? ''
  return tOrNull(`stores.right.${name}`) ?? name
}

/** @summary Shops connected by a plug-in for BTCPay Server: how to connect one, what each may do, and how to disconnect it. */
@customElement('stores-page')
export class StoresPage extends ChangingPage<Stores | null> {
  /** Shown once, until the page is left. */
  @state() private created: NewWebhook | null = null

  protected heading(): string {
    return t('page.stores')
  }

  protected async load(signal: AbortSignal): Promise<Stores | null> {
    return may('get /dashboard/stores') ? await request<Stores>('dashboard/stores', { signal }) : null
  }

  private async disconnect({ id, label }: Store): Promise<void> {
    if (!(await confirmed(t('stores.disconnect'), t('stores.disconnect.text', label)))) return
    await this.change(id, () => requestConfirmed(`dashboard/stores/${id}`, { method: 'DELETE' }))
  }

  private readonly createKey = (event: Event): void => {
    event.preventDefault()
    const shop = String(new FormData(event.target as HTMLFormElement).get('shop'))
    const query = new URLSearchParams(byHandPermissions.map((one) => ['permissions', one]))
    query.set('shop', shop)
    navigate(`/dashboard/stores/authorize?${query}`)
  }

  private readonly createWebhook = (event: Event): void => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const data = new FormData(form)
    const body = { url: String(data.get('url')) }
    void this.change('webhook', async () => {
      const path = `dashboard/stores/${String(data.get('store'))}/webhooks`
      this.created = await requestConfirmed<NewWebhook>(path, { method: 'POST', body })
      form.reset()
    })
  }

  /** Only for shops connected by a key created here, whose plug-ins register no webhook and whose address is known. */
  private renderNewWebhook(stores: readonly Store[]) {
    const open = stores.filter(({ revokedAt, shopOrigin }) => revokedAt === null && shopOrigin !== null)
    if (open.length === 0 || !may('post /dashboard/stores/{storeKeyId}/webhooks')) return nothing
    return html`
      <form class="card stack" @submit=${this.createWebhook}>
        <h2>${t('stores.newWebhook')}</h2>
        <p>${t('stores.newWebhook.text')}</p>
        <label class="field">
          ${t('stores.shop')}
          <select name="store">
            ${open.map(({ id, label, shopOrigin }) => html`<option value=${id}>${label === shopOrigin ? label : `${label} (${shopOrigin})`}</option>`)}
          </select>
        </label>
        <label class="field">
          ${t('stores.newWebhook.url')}
          <input
            name="url"
            type="url"
            required
            maxlength="2000"
            autocomplete="off"
            dir="ltr"
            placeholder=${`${open[0]?.shopOrigin}/payment_callback.php`}
          />
        </label>
        <div class="row">
          <wa-button type="submit" appearance="outlined" ?disabled=${this.isBusy}>${t('stores.newWebhook')}</wa-button>
        </div>
        ${this.renderResult('webhook')} ${this.created === null ? nothing : this.renderSecret(this.created)}
      </form>
    `
  }

  private renderSecret({ webhook, secret }: NewWebhook) {
    const label = t('webhooks.secretOnce', webhook.url)
    return html`
      <wa-callout variant="warning" role="status">
        <strong>${label}</strong>
        <div class="copied"><code dir="ltr">${secret}</code><copy-text text=${secret} label=${label}></copy-text></div>
      </wa-callout>
    `
  }

  private renderByHand() {
    if (!may('post /dashboard/stores')) return nothing
    return html`
      <form class="card stack" @submit=${this.createKey}>
        <h2>${t('stores.byHand')}</h2>
        <p>${t('stores.byHand.text')}</p>
        <label class="field">
          ${t('stores.byHand.shop')}
          <input name="shop" type="url" required maxlength="2000" autocomplete="off" placeholder="https://shop.example" />
        </label>
        <div class="row"><wa-button type="submit" appearance="outlined">${t('stores.byHand')}</wa-button></div>
      </form>
    `
  }

  protected renderData(data: Stores | null): unknown {
    const address = `${location.origin}/btcpay`
    const howToConnect = html`
      <p>${t('stores.text')}</p>
      <h2>${t('stores.address')}</h2>
      <div class="copied"><code>${address}</code><copy-text text=${address} label=${t('stores.address')}></copy-text></div>
    `
    if (data === null) {
      return html`
        <section class="card">
          <h2>${t('stores.off')}</h2>
          <p>${t('stores.off.text')}</p>
          <div class="copied">
            <code>${configurationLine}</code><copy-text text=${configurationLine} label=${t('stores.off')}></copy-text>
          </div>
        </section>
        <section class="card">${howToConnect}</section>
      `
    }
    return html`
      <section class="card">${howToConnect}</section>
      ${data.stores.length === 0 ? emptyState('store', t('stores.empty')) : this.renderStores(data.stores)}
      ${data.webhooks.length === 0 ? nothing : this.renderWebhooks(data.webhooks)}
      ${this.renderByHand()} ${this.renderNewWebhook(data.stores)}
    `
  }

  private renderStores(stores: Store[]) {
    return html`
      <div class="card scroll" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('stores.shop')}</th>
              <th scope="col">${t('stores.rights')}</th>
              <th scope="col">${t('people.since')}</th>
              <th scope="col">${t('keys.state')}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${stores.map(
              (store) => html`
                <tr>
                  <td><bdi>${store.label}</bdi>${this.renderOrigin(store)}</td>
                  <td>${store.permissions.map((one) => html`<div class="small">${permissionText(one)}</div>`)}</td>
                  <td class="number">${formatTime(store.createdAt)}</td>
                  <td>${t(store.revokedAt === null ? 'stores.connected' : 'stores.disconnected')}</td>
                  <td class="end">${this.renderButton(store)}${this.renderResult(store.id)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `
  }

  private renderOrigin({ label, shopOrigin }: Store) {
    return shopOrigin === null || shopOrigin === label
      ? nothing
      : html`<div class="small quiet" dir="ltr">${shopOrigin}</div>`
  }

  private renderButton(store: Store) {
    if (store.revokedAt !== null) return nothing
    return html`
      <wa-button size="s" appearance="outlined" variant="danger" @click=${() => void this.disconnect(store)}>
        ${t('stores.disconnect')}
      </wa-button>
    `
  }

  private renderWebhooks(webhooks: Webhook[]) {
    const stateOf = ({ enabled, failingSince }: Webhook) => {
      if (!enabled) return t('stores.webhook.off')
      return failingSince === null ? t('stores.webhook.on') : t('stores.webhook.failing', formatTime(failingSince))
    }
    return html`
      <section class="card" aria-labelledby="webhooks">
        <h2 id="webhooks">${t('stores.webhooks')}</h2>
        <ul>
          ${webhooks.map((one) => html`<li><code class="wrap" dir="ltr">${one.url}</code> ${stateOf(one)}</li>`)}
        </ul>
      </section>
    `
  }
}
