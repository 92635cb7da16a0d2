import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { keyed } from 'lit/directives/keyed.js'
import { isRefusal, messageOf } from '../../../widget/src/wallet/evm/wallet-errors.ts'
import { Fault, request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { type Registration, readRegistration } from '../api/registration.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/wallet-registration.ts'
import { accountFaults, type WrongAccount } from '../ui/account-faults.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import '../ui/copy-button.ts'

type Wallet = {
  network: string
  networkName: string
  address: string | null
  kind: 'forwarder' | 'virtual' | 'xpub'
  /** The account from which the payments' addresses are derived. */
  account: string | null
}

type Proof = { address: string; nonce: string; message: string }

/** A new wallet being set: first its address or account, then its registration if missing, then its signature of the text. */
type Draft = { wallet: Wallet; given: string; registration: Registration | null; proof: Proof | null }

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
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
    gap: var(--space-1) var(--space-3);
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    padding-block: var(--space-3);
    border-top: 1px solid var(--color-border);
  }
  li:last-child {
    padding-bottom: 0;
  }
  li h2 {
    font-size: var(--text-m);
  }
  /* On a phone the button stands beside the network's name, and an EVM address fits on one line below. */
  @media (max-width: 50rem) {
    .wallet {
      display: contents;
    }
    .wallet > :not(h2) {
      grid-column: 1 / -1;
    }
    li > wa-button {
      grid-area: 1 / 2;
    }
  }
  @media (max-width: 30rem) {
    li code {
      font-size: 0.75rem;
    }
  }
  .wrong {
    color: var(--color-danger);
  }
  .wrong:empty {
    display: none;
  }
`

/** @summary The shop's wallet on each network. A signature proves that somebody holds a new wallet's key. */
@customElement('wallets-page')
export class WalletsPage extends ChangingPage<Wallet[]> {
  static override styles = [ChangingPage.styles, styles]
  @state() private draft: Draft | null = null
  @state() private wrong: WrongAccount | null = null
  /** Why this browser's wallet gave no signature; empty: not asked, or signed. */
  @state() private refused = ''
  /** Networks whose wallet is set but not registered on the chain: no payment is accepted there. */
  @state() private unregistered: ReadonlySet<string> = new Set()

  protected heading(): string {
    return t('wallets.title')
  }

  protected async load(signal: AbortSignal): Promise<Wallet[]> {
    const { wallets } = await request<{ wallets: Wallet[] }>('dashboard/wallets', { signal })
    void this.readUnregistered(wallets, signal)
    return wallets
  }

  /** The page does not wait for nodes. If no node responds, the System page shows it. */
  private async readUnregistered(wallets: readonly Wallet[], signal: AbortSignal): Promise<void> {
    const named = wallets.filter(({ kind, account }) => kind === 'virtual' && account !== null)
    const found = await Promise.all(
      named.map(async ({ network }) => {
        const registration = await readRegistration(network, null).catch(() => null)
        return registration && registration.state !== 'registered' ? [network] : []
      }),
    )
    if (!signal.aborted) this.unregistered = new Set(found.flat())
  }

  protected renderData(wallets: Wallet[]): unknown {
    return html`
      <section class="card" aria-label=${t('wallets.title')}>
        <p>${t('wallets.text')}</p>
        <ul>
          ${wallets.map(
            (wallet) => html`
              <li>
                <div class="wallet">
                  <h2>${wallet.networkName}</h2>
                  <code>${wallet.address ?? t('wallets.none')}</code>
                  ${
                    wallet.account?.startsWith('xpub')
                      ? html`<div><a href="/dashboard/wallets/${wallet.network}/addresses">${t('addresses.open')}</a></div>`
                      : nothing
                  }
                  ${
                    this.unregistered.has(wallet.network)
                      ? html`<wa-callout variant="warning">${t('register.missing', wallet.networkName)}</wa-callout>`
                      : nothing
                  }
                </div>
                ${may('put /dashboard/wallets/{network}') ? this.renderChange(wallet) : nothing}
              </li>
            `,
          )}
        </ul>
        ${this.draft ? keyed(this.draft.wallet.network, this.renderDraft(this.draft)) : nothing} ${this.renderResult('wallets')}
      </section>
    `
  }

  private renderChange(wallet: Wallet) {
    const begin = () => {
      this.draft = { wallet, given: '', registration: null, proof: null }
      this.wrong = null
      this.refused = ''
    }
    return html`<wa-button size="s" appearance="outlined" @click=${begin}>${t('wallets.change')}</wa-button>`
  }

  private renderDraft(draft: Draft) {
    const { wallet, given, registration, proof } = draft
    if (!proof && registration) {
      return html`
        <wallet-registration
          network=${wallet.network}
          given=${given}
          .registration=${registration}
          @wallet-registered=${() => this.askSignature(wallet, given)}
        ></wallet-registration>
      `
    }
    if (!proof) return wallet.kind === 'xpub' ? this.renderAccount(wallet) : this.renderAddress(wallet)
    const provider = browserWallet()
    return html`
      <form class="stack" @submit=${(event: SubmitEvent) => this.setWallet(event, draft)}>
        <p>${t('wallets.sign')}</p>
        <pre data-message>${proof.message}</pre>
        <div class="row">
          <copy-text text=${proof.message} label=${t('wallets.sign')}></copy-text>
          ${
            provider
              ? html`<wa-button size="s" appearance="outlined" @click=${(event: Event) => this.signHere(event, provider, proof)}>
                  ${t('wallets.byBrowser')}
                </wa-button>`
              : nothing
          }
        </div>
        <p class="wrong" role="alert">${this.refused}</p>
        <label class="field">${t('wallets.signature')}<input name="signature" required autocomplete="off" /></label>
        <p class="small quiet">${t('people.passkey.text')}</p>
        <div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('wallets.set')}</wa-button></div>
      </form>
    `
  }

  private renderAddress(wallet: Wallet) {
    const isVirtual = wallet.kind === 'virtual'
    const command = `stablecoin-checkout deploy ${wallet.network} --wallet 0x…`
    return html`
      ${
        isVirtual
          ? html`
              <p>${t('register.salt', wallet.networkName)}</p>
              <div class="copied">
                <code dir="ltr">${command}</code>
                <copy-text text=${command} label=${command}></copy-text>
              </div>
            `
          : nothing
      }
      <form class="row" @submit=${(event: SubmitEvent) => this.takeGiven(event, wallet)}>
        <label class="field">
          ${isVirtual ? t('wallets.salt') : t('wallets.new', wallet.networkName)}
          <input name="address" required maxlength="200" autocomplete="off" spellcheck="false" />
        </label>
        <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('wallets.next')}</wa-button>
      </form>
    `
  }

  /** The first address proves that the key is the wallet's, so both are asked for. */
  private renderAccount(wallet: Wallet) {
    const field = (name: WrongAccount['field'], label: string, lengthMax: number) => html`
      <label class="field">
        ${label}
        <input
          name=${name}
          required
          maxlength=${lengthMax}
          autocomplete="off"
          spellcheck="false"
          aria-invalid=${this.wrong?.field === name}
          aria-describedby="wrong-${name}"
        />
      </label>
      <p class="wrong" id="wrong-${name}" role="alert">${this.wrong?.field === name ? t(this.wrong.text) : nothing}</p>
    `
    return html`
      <form class="stack" @submit=${(event: SubmitEvent) => this.takeGiven(event, wallet)}>
        <h3>${t('wallets.new', wallet.networkName)}</h3>
        <p>${t('wallets.ownText', wallet.networkName)}</p>
        ${field('key', t('wallets.key'), 200)} ${field('first', t('wallets.first'), 60)}
        <div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('wallets.next')}</wa-button></div>
      </form>
    `
  }

  private takeGiven(event: SubmitEvent, wallet: Wallet): void {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const text = (name: string) => String(form.get(name)).trim()
    const given = wallet.kind === 'xpub' ? `${text('key')}@${text('first')}` : text('address')
    this.askSignature(wallet, given)
  }

  /** A wallet that its chain does not know registers itself first. */
  private askSignature(wallet: Wallet, given: string): void {
    this.wrong = null
    void this.change('wallets', async () => {
      try {
        const registration = wallet.kind === 'virtual' ? await readRegistration(wallet.network, given) : null
        const isMissing = registration !== null && registration.state !== 'registered'
        const body = { network: wallet.network, address: given }
        const proof = isMissing ? null : await request<Proof>('dashboard/wallets/proofs', { body })
        // Otherwise the wallet of another network is being changed by now.
        if (this.draft?.wallet === wallet) this.draft = { wallet, given, registration, proof }
      } catch (fault) {
        this.wrong = (fault instanceof Fault && accountFaults[fault.code]) || null
        if (this.wrong === null) throw fault
      }
    })
  }

  private async signHere(event: Event, provider: Provider, { address, message }: Proof): Promise<void> {
    const field = (event.target as HTMLElement).closest('form')?.querySelector<HTMLInputElement>('[name=signature]')
    if (!field) return
    this.refused = ''
    try {
      await provider.request({ method: 'eth_requestAccounts', params: [] })
      field.value = String(await provider.request({ method: 'personal_sign', params: [hexOf(message), address] }))
    } catch (error) {
      // Otherwise another wallet is being set by now.
      if (!field.isConnected) return
      this.refused = isRefusal(error) ? t('refunds.wallet.rejected') : t('refunds.wallet.failed', messageOf(error))
    }
  }

  private setWallet(event: SubmitEvent, { wallet, given, proof }: Draft): void {
    event.preventDefault()
    if (!proof) return
    const signature = String(new FormData(event.target as HTMLFormElement).get('signature')).trim()
    const body = { address: given, nonce: proof.nonce, signature }
    void this.change(
      'wallets',
      async () => {
        await requestConfirmed(`dashboard/wallets/${wallet.network}`, { method: 'PUT', body })
        if (this.draft?.wallet === wallet) this.draft = null
      },
      t('wallets.done'),
    )
  }
}
