import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/spinner/spinner.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { type Registration, readRegistration } from '../api/registration.ts'
import { t } from '../locales/locale.ts'
import { registerCall } from '../register-wallet/register-call.ts'
import type { RegistrationAsk, RegistrationStop, RegistrationWallet, Sent } from '../register-wallet/register-wallet.ts'
import '../ui/copy-button.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { baseStyles } from '../ui/styles.ts'

/** Interval between two polls for the registration on the chain. */
const pollMs = 1_500
/** Blocks take less than a second on these networks. After this time, the person must ask again. */
const waitMaxMs = 60_000

const styles = css`
  code {
    overflow-wrap: anywhere;
  }
`

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs))

/**
 * @summary Has a wallet of this browser register itself for virtual addresses, and waits until the chain shows it.
 * @event wallet-registered - The service has read the registration from the chain.
 */
@customElement('wallet-registration')
export class WalletRegistration extends LitElement {
  static override styles = [baseStyles, styles]
  @property() network = ''
  /** The wallet and its salt, as entered. */
  @property() given = ''
  @property({ attribute: false }) registration: Registration | null = null
  @state() private wallets: readonly RegistrationWallet[] = []
  @state() private isFinding = true
  @state() private isBusy = false
  @state() private isWaiting = false
  @state() private ask: RegistrationAsk | null = null
  @state() private stop: RegistrationStop | null = null
  @state() private isReverted = false
  @state() private fault: unknown

  override connectedCallback(): void {
    super.connectedCallback()
    void this.find()
  }

  private get salt(): string {
    return this.given.split(':')[1] ?? ''
  }

  private get name(): string {
    return this.registration?.chain?.name ?? this.network
  }

  /** Wallet code loads only here. */
  private async find(): Promise<void> {
    try {
      const { findRegistrationWallets } = await import('../register-wallet/register-wallet.ts')
      // A wallet may announce itself before `read` is assigned.
      let read: () => RegistrationWallet[] = () => []
      const onFound = () => {
        this.wallets = read()
      }
      read = findRegistrationWallets(onFound)
      onFound()
    } catch (fault) {
      this.fault = fault
    }
    this.isFinding = false
  }

  private async run(work: () => Promise<unknown>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.stop = null
    this.isReverted = false
    this.fault = undefined
    try {
      await work()
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
    this.isWaiting = false
  }

  private readonly register = (wallet: RegistrationWallet): Promise<void> =>
    this.run(async () => {
      const { registration, salt } = this
      if (!registration?.chain) return
      const sent = await wallet.register({
        address: registration.address,
        salt,
        chain: registration.chain,
        onAsk: (ask) => {
          this.ask = ask
        },
      })
      if ('why' in sent) this.stop = sent
      else await this.wait(sent)
    })

  /** Only what the service reads from the chain counts, not what the wallet says. */
  private async wait(sent: Sent): Promise<void> {
    this.isWaiting = true
    for (const endsAtMs = performance.now() + waitMaxMs; performance.now() < endsAtMs; await pause()) {
      if (!this.isConnected || (await this.verify())) return
      this.isReverted = (await sent.status()) === 'reverted'
      if (this.isReverted) return
    }
  }

  /** @throws {Fault} */
  private async verify(): Promise<boolean> {
    const registration = await readRegistration(this.network, this.given)
    if (registration?.state === 'registered') {
      this.dispatchEvent(new Event('wallet-registered', { bubbles: true, composed: true }))
      return true
    }
    this.registration = registration
    return false
  }

  private stopText(stop: RegistrationStop): string {
    switch (stop.why) {
      case 'account':
        return t('register.account', this.registration?.address ?? '')
      case 'network':
        return t('refunds.wallet.network', this.name)
      case 'failed':
        return t('refunds.wallet.failed', stop.message)
      default:
        return t(`refunds.wallet.${stop.why}`)
    }
  }

  private renderState() {
    switch (this.ask) {
      case 'connect':
        return html`<p>${t('refunds.wallet.connect')}</p>`
      case 'switch':
        return html`<p>${t('refunds.wallet.switch', this.name)}</p>`
      case 'register':
        return html`<p>${t('register.ask')}</p>`
      default:
    }
    if (this.isWaiting) return html`<p>${t('register.sent', this.name)}</p>`
    if (this.isReverted) return html`<wa-callout variant="warning">${t('register.reverted', this.name)}</wa-callout>`
    return this.stop ? html`<wa-callout variant="warning">${this.stopText(this.stop)}</wa-callout>` : nothing
  }

  private renderWallets() {
    if (this.wallets.length === 0)
      return this.isFinding ? html`<wa-spinner></wa-spinner>` : html`<p class="small">${t('register.none')}</p>`
    return html`
      <div class="row">
        ${this.wallets.map(
          (wallet) => html`
            <wa-button variant="brand" ?disabled=${this.isBusy} @click=${() => this.register(wallet)}>
              ${t('register.by', wallet.name)}
            </wa-button>
          `,
        )}
      </div>
    `
  }

  /** The call to copy, for a wallet outside this browser, such as one with several signers. */
  private renderCall() {
    const { to, data } = registerCall(this.salt)
    return html`
      <details>
        <summary>${t('register.elsewhere')}</summary>
        <div class="copied"><code dir="ltr">${to}</code><copy-text text=${to} label=${to}></copy-text></div>
        <div class="copied"><code dir="ltr">${data}</code><copy-text text=${data} label=${data}></copy-text></div>
      </details>
    `
  }

  protected override render(): unknown {
    const { registration } = this
    if (!registration) return nothing
    if (registration.state === 'other') return html`<wa-callout variant="warning">${t('register.other')}</wa-callout>`
    return html`
      <div class="stack">
        <h3>${t('register.title', this.name)}</h3>
        <p>${t('register.text', this.name)}</p>
        <p><code dir="ltr">${registration.address}</code></p>
        ${registration.chain ? this.renderWallets() : nothing} ${this.renderCall()}
        <div>
          <wa-button appearance="outlined" ?disabled=${this.isBusy} @click=${() => this.run(() => this.verify())}>
            ${t('register.again')}
          </wa-button>
        </div>
        <div role="status">${this.renderState()}</div>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
      </div>
    `
  }
}
