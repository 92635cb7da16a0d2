import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import '../ui/copy-button.ts'
import '../parts/your-page.ts'
import type { PageChanges, PageSettings } from '../parts/your-page.ts'

/** The service stores shares in hundredths of a percent. */
const bpsPerPercent = 100

type Settings = PageSettings & { tolerance: string; latePayments: 'report' | 'accept'; publicReports: boolean }
type Wallet = { network: string; networkName: string; address: string | null }
type Data = { settings: Settings; wallets: Wallet[] }

/** A new wallet being set: first its address, then its signature of the text. */
type Draft = { wallet: Wallet; proof: { address: string; nonce: string; message: string } | null }

/** The methods used of a browser wallet (EIP-1193). */
type Provider = { request(call: { method: string; params: unknown[] }): Promise<unknown> }

/** This browser's wallet, by EIP-6963; null if there is none. */
function browserWallet(): Provider | null {
  let found: Provider | null = null
  const announce = (event: Event) => {
    found ??= (event as CustomEvent<{ provider: Provider }>).detail.provider
  }
  window.addEventListener('eip6963:announceProvider', announce)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  window.removeEventListener('eip6963:announceProvider', announce)
  return found
}

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

const styles = css`
  ul {
    display: grid;
    gap: 0.75rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
`

/** @summary The merchant's settings and wallets. */
@customElement('settings-page')
export class SettingsPage extends ChangingPage<Data> {
  static override styles = [ChangingPage.styles, styles]
  @state() private draft: Draft | null = null

  protected heading(): string {
    return t('page.settings')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [{ settings }, { wallets }] = await Promise.all([
      request<{ settings: Settings }>('dashboard/settings', { signal }),
      request<{ wallets: Wallet[] }>('dashboard/wallets', { signal }),
    ])
    return { settings, wallets }
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const body = {
      name: form.get('name'),
      tolerance: `${Math.round(Number(form.get('percent')) * bpsPerPercent)},${form.get('most')}`,
      latePayments: form.get('latePayments'),
      publicReports: form.get('publicReports') === 'on',
    }
    void this.change(() => requestConfirmed('dashboard/settings', { method: 'PATCH', body }), t('settings.saved'))
  }

  private renderSettings({ name, tolerance, latePayments, publicReports }: Settings) {
    const [bps, most = '0.00'] = tolerance.split(',')
    const isFixed = !may('patch /dashboard/settings')
    return html`
      <form class="card" aria-labelledby="shop" @submit=${this.save}>
        <h2 id="shop">${t('settings.shop')}</h2>
        <label class="field">
          ${t('settings.name')}<input name="name" .value=${name} required maxlength="100" ?disabled=${isFixed} />
        </label>
        <div class="row" role="group" aria-labelledby="tolerance">
          <span class="small" id="tolerance">${t('settings.tolerance')}</span>
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
          <label class="field">
            ${t('settings.tolerance.most')}
            <input name="most" inputmode="decimal" .value=${most} required ?disabled=${isFixed} />
          </label>
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
        <label class="row">
          <input type="checkbox" name="publicReports" ?checked=${publicReports} ?disabled=${isFixed} />
          ${t('settings.reports')}
        </label>
        ${
          isFixed
            ? nothing
            : html`<div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('action.save')}</wa-button></div>`
        }
      </form>
    `
  }

  private renderYourPage(settings: Settings) {
    const save = ({ detail: body }: CustomEvent<PageChanges>) =>
      this.change(() => requestConfirmed('dashboard/settings', { method: 'PATCH', body }), t('yourPage.saved'))
    return html`<your-page
      .settings=${settings}
      ?isFixed=${!may('patch /dashboard/settings')}
      ?isBusy=${this.isBusy}
      @page-change=${save}
    ></your-page>`
  }

  private renderWallets(wallets: Wallet[]) {
    return html`
      <section class="card" aria-labelledby="wallets">
        <h2 id="wallets">${t('wallets.title')}</h2>
        <p>${t('wallets.text')}</p>
        <ul>
          ${wallets.map(
            (wallet) => html`
              <li class="row spread">
                <div>
                  <h3>${wallet.networkName}</h3>
                  <code>${wallet.address ?? t('wallets.none')}</code>
                </div>
                ${may('put /dashboard/wallets/{network}') ? this.renderChange(wallet) : nothing}
              </li>
            `,
          )}
        </ul>
        ${this.draft ? this.renderDraft(this.draft) : nothing}
      </section>
    `
  }

  private renderChange(wallet: Wallet) {
    const begin = () => {
      this.draft = { wallet, proof: null }
    }
    return html`<wa-button size="s" appearance="outlined" @click=${begin}>${t('wallets.change')}</wa-button>`
  }

  private renderDraft(draft: Draft) {
    const { wallet, proof } = draft
    if (!proof) {
      return html`
        <form class="row" @submit=${(event: SubmitEvent) => this.askProof(event, wallet)}>
          <label class="field">
            ${t('wallets.new', wallet.networkName)}<input name="address" required maxlength="100" autocomplete="off" />
          </label>
          <wa-button type="submit" ?disabled=${this.isBusy}>${t('wallets.next')}</wa-button>
        </form>
      `
    }
    return html`
      <form class="stack" @submit=${(event: SubmitEvent) => this.setWallet(event, draft)}>
        <p>${t('wallets.sign')}</p>
        <pre data-message>${proof.message}</pre>
        <div class="row">
          <copy-text text=${proof.message} label=${t('wallets.sign')}></copy-text>
          <wa-button size="s" appearance="outlined" @click=${(event: Event) => void this.signHere(event, proof)}>
            ${t('wallets.byBrowser')}
          </wa-button>
        </div>
        <label class="field">${t('wallets.signature')}<input name="signature" required autocomplete="off" /></label>
        <p class="small quiet">${t('people.passkey.text')}</p>
        <div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('wallets.set')}</wa-button></div>
      </form>
    `
  }

  private askProof(event: SubmitEvent, wallet: Wallet): void {
    event.preventDefault()
    const address = String(new FormData(event.target as HTMLFormElement).get('address')).trim()
    const body = { network: wallet.network, address }
    void this.change(async () => {
      const proof = await request<{ address: string; nonce: string; message: string }>('dashboard/wallets/proofs', {
        body,
      })
      this.draft = { wallet, proof }
    })
  }

  private async signHere(event: Event, { address, message }: { address: string; message: string }): Promise<void> {
    const wallet = browserWallet()
    const field = (event.target as HTMLElement).closest('form')?.querySelector<HTMLInputElement>('[name=signature]')
    if (!wallet || !field) return
    await wallet.request({ method: 'eth_requestAccounts', params: [] })
    field.value = String(await wallet.request({ method: 'personal_sign', params: [hexOf(message), address] }))
  }

  private setWallet(event: SubmitEvent, { wallet, proof }: Draft): void {
    event.preventDefault()
    if (!proof) return
    const signature = String(new FormData(event.target as HTMLFormElement).get('signature')).trim()
    const body = { address: proof.address, nonce: proof.nonce, signature }
    void this.change(async () => {
      await requestConfirmed(`dashboard/wallets/${wallet.network}`, { method: 'PUT', body })
      this.draft = null
    }, t('wallets.done'))
  }

  protected renderData({ settings, wallets }: Data): unknown {
    return html`${this.renderResult()} ${this.renderSettings(settings)} ${this.renderYourPage(settings)} ${this.renderWallets(wallets)}`
  }
}
