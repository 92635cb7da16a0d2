import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { addPasskey, hasPasskey, requestConfirmed } from '../api/confirm.ts'
import { may, merchantName } from '../api/session.ts'
import { isolated, t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import '../ui/copy-button.ts'
import { permissionText } from './stores-page.ts'

type Data = { hasPasskey: boolean }
type Granted = { apiKey: string; userId: string; permissions: string[] }

/** Permissions on a store. Permissions on a server or a person are never granted. */
const storeRight = /^btcpay\.store\.(?:webhooks\.)?[a-z]+(?::[^:]+)?$/

/** The store id of a key, which plug-ins that are connected by hand ask for. */
const storeIdOf = ({ permissions }: Granted): string => permissions[0]?.split(':')[1] ?? ''

/**
 * The plug-in's request, parsed from its link. `shop`: the shop of a key that is shown here and pasted by hand; its pages may frame the
 * payment page.
 */
function asked() {
  const query = new URLSearchParams(location.search)
  return {
    name: query.get('applicationName')?.trim().slice(0, 100) ?? '',
    permissions: [
      ...new Set(
        query
          .getAll('permissions')
          .flatMap((text) => text.split(','))
          .filter(Boolean),
      ),
    ],
    redirect: query.get('redirect') ?? '',
    shop: query.get('shop') ?? '',
  }
}

const isSafe = (url: string): boolean =>
  URL.canParse(url) && (url.startsWith('https://') || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?([/?#]|$)/.test(url))

/**
 * @summary The permissions that a shop's plug-in requests. The owner grants exactly these with the passkey, and the browser posts the key
 * to the shop as a form.
 */
@customElement('store-pairing-page')
export class StorePairingPage extends ChangingPage<Data> {
  @state() private granted: Granted | null = null
  @state() private isSent = false

  protected heading(): string {
    return t('pairing.title')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    return { hasPasskey: await hasPasskey(signal) }
  }

  private readonly connect = (): void => {
    const { name, permissions, redirect, shop } = asked()
    const address = redirect || shop
    const body = { applicationName: redirect === '' ? '' : name, permissions, ...(address && { redirect: address }) }
    void this.change('pair', async () => {
      const granted = await requestConfirmed<Granted>('dashboard/stores', { method: 'POST', body })
      if (redirect === '') this.granted = granted
      else this.send(redirect, granted)
    })
  }

  /** The page's CSP allows forms to this address only. */
  private send(redirect: string, { apiKey, userId, permissions }: Granted): void {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = redirect
    const add = (name: string, value: string) => {
      const input = document.createElement('input')
      Object.assign(input, { type: 'hidden', name, value })
      form.append(input)
    }
    add('apiKey', apiKey)
    add('userId', userId)
    for (const permission of permissions) add('permissions[]', permission)
    document.body.append(form)
    this.isSent = true
    form.submit()
  }

  private readonly addPasskey = (): void => void this.change('passkey', () => addPasskey(true))

  /**
   * Shown before the button is pressed: without a passkey the service refuses, and the plug-in's link would be lost while the person adds
   * one.
   */
  private renderNoPasskey() {
    return html`
      <wa-callout variant="warning">
        ${t('passkey.none')}
        <div class="row">
          <wa-button size="s" variant="brand" ?disabled=${this.isBusy} @click=${this.addPasskey}>${t('passkey.add')}</wa-button>
        </div>
      </wa-callout>
      ${this.renderResult('passkey')}
    `
  }

  protected renderData(data: Data): unknown {
    const { name, permissions, redirect, shop } = asked()
    if (this.granted !== null) {
      const { apiKey } = this.granted
      const storeId = storeIdOf(this.granted)
      return html`
        <section class="card">
          <h2>${t('keys.key')}</h2>
          <div class="copied"><code>${apiKey}</code><copy-text text=${apiKey} label=${t('keys.key')}></copy-text></div>
          <h2>${t('pairing.store')}</h2>
          <div class="copied"><code>${storeId}</code><copy-text text=${storeId} label=${t('pairing.store')}></copy-text></div>
          <p>${t('pairing.once')}</p>
        </section>
      `
    }
    if (this.isSent) return html`<wa-callout variant="success" role="status">${t('pairing.done')}</wa-callout>`
    const address = redirect || shop
    const fault = this.faultOf(permissions, address)
    if (fault !== null) return html`<wa-callout variant="danger" role="alert">${fault}</wa-callout>`
    const host = address === '' ? '' : new URL(address).host
    // A key that only the owner receives is labelled by the shop's host alone.
    const label = redirect === '' ? host : name || host
    return html`
      <section class="card">
        <p>${t('pairing.asks', isolated(label), isolated(merchantName()))}</p>
        <ul>${permissions.map((one) => html`<li>${permissionText(one)}</li>`)}</ul>
        <p class="quiet">${t('pairing.limits')}</p>
        ${redirect === '' ? nothing : html`<p><strong>${t('pairing.sends', isolated(host))}</strong></p>`}
        ${data.hasPasskey ? nothing : this.renderNoPasskey()}
        <div class="row">
          <wa-button variant="brand" ?disabled=${this.isBusy || !data.hasPasskey} @click=${this.connect}>${t('pairing.connect')}</wa-button>
          <wa-button appearance="outlined" @click=${() => history.back()}>${t('pairing.cancel')}</wa-button>
        </div>
        ${this.renderResult('pair')}
      </section>
    `
  }

  /** Why nothing can be connected; null: it can. */
  private faultOf(permissions: readonly string[], address: string): string | null {
    if (!may('post /dashboard/stores')) return t('pairing.owner')
    if (permissions.length === 0) return t('pairing.none')
    const refused = permissions.filter((one) => !storeRight.test(one))
    if (refused.length > 0) return t('pairing.refused', refused.join(', ').slice(0, 300))
    return address === '' || isSafe(address) ? null : t('pairing.unsafe')
  }
}
