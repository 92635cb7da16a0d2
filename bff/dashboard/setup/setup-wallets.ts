import { html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { type BrowserWallet, findEvmWallets, solanaWallet } from './browser-wallets.ts'
import { ask } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** @summary The wallet of one family of networks, with a proof that it is the owner's. */
@customElement('setup-wallet')
export class SetupWallet extends SetupStep {
  @property() family: 'evm' | 'solana' = 'evm'
  @state() private wallets: readonly BrowserWallet[] = []
  @state() private address = ''
  @state() private retyped = ''
  private stop = () => {}

  override connectedCallback(): void {
    super.connectedCallback()
    const stored = this.setup.answers.wallets.find(({ family }) => family === this.family)
    this.address = stored?.address ?? ''
    if (this.family === 'evm') {
      this.stop = findEvmWallets((wallet) => {
        this.wallets = [...this.wallets, wallet]
      })
    } else {
      const wallet = solanaWallet()
      this.wallets = wallet ? [wallet] : []
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.stop()
  }

  private sign(wallet: BrowserWallet): void {
    void this.attempt(async () => {
      this.address = await wallet.address()
      type Answer = { address: string; message: string }
      const { family } = this
      const { address, message } = await ask<Answer>('POST', 'wallets/proof', { family, address: this.address })
      const signature = await wallet.sign(address, message)
      await ask('PUT', 'wallets', { family, address, signature })
      this.answered()
    })
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    void this.attempt(async () => {
      const { family, address, retyped } = this
      await ask('PUT', 'wallets', { family, address, retyped: retyped.trim() })
      this.retyped = ''
      this.answered()
    })
  }

  protected override render(): unknown {
    const stored = this.setup.answers.wallets.find(({ family }) => family === this.family)
    return html`
      <form class="stack" @submit=${this.save} novalidate>
        <h3>${s(`wallets.${this.family}`)}</h3>
        ${
          stored
            ? html`<p>✓ <code>${stored.address}</code> <span class="quiet small">${s(`wallets.${stored.proof}`)}</span></p>`
            : nothing
        }
        <div class="row">
          ${this.wallets.map(
            (wallet) => html`
              <wa-button variant="brand" ?loading=${this.isBusy} @click=${() => this.sign(wallet)}>
                ${s('wallets.sign', wallet.name)}
              </wa-button>
            `,
          )}
        </div>
        ${this.wallets.length === 0 ? html`<p class="quiet small">${s('wallets.none')}</p>` : nothing}
        <p class="small">${s('wallets.byHand')}</p>
        <label class="field">
          ${s('wallets.address')}
          <input
            name="address"
            spellcheck="false"
            autocomplete="off"
            maxlength="100"
            .value=${this.address}
            aria-invalid=${this.isWrong('address')}
            aria-describedby="error-address"
            @input=${(event: Event) => {
              this.address = (event.target as HTMLInputElement).value
            }}
          />
        </label>
        ${this.errorOf('address')}
        <label class="field">
          ${s('wallets.retype')}
          <input
            name="retyped"
            spellcheck="false"
            autocomplete="off"
            maxlength="6"
            .value=${this.retyped}
            aria-invalid=${this.isWrong('retyped')}
            aria-describedby="error-retyped"
            @input=${(event: Event) => {
              this.retyped = (event.target as HTMLInputElement).value
            }}
          />
        </label>
        ${this.errorOf('retyped')}
        <wa-callout variant="warning">${s('wallets.exchange')}</wa-callout>
        ${this.renderFault('address', 'retyped')}
        <div class="row">
          <wa-button type="submit" appearance="outlined" ?loading=${this.isBusy}>${s('wallets.use')}</wa-button>
        </div>
      </form>
    `
  }
}
