import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import '../ui/copy-button.ts'
import { formatAmount } from '../ui/format.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'
import { ask, faultSentence, SetupFault } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** Money arrives within a few blocks. */
const pollMs = 5_000

type Deployment = { state: 'running' | 'done' | 'failed'; done: number; total: number; code: string | null }

type Gas = {
  network: string
  name: string
  coin: string
  address: string
  qr: QrCode
  hasContracts: boolean
  balance: string | null
  needed: string | null
  isEnough: boolean
  isDeployed: boolean
  deployment: Deployment | null
}

/** @summary The account that pays network fees, and the contracts that it deploys. */
@customElement('setup-gas')
export class SetupGas extends SetupStep {
  static override styles = [
    ...SetupStep.styles,
    css`
      .network {
        padding: 0.75rem;
        border: 1px solid var(--wa-color-surface-border);
        border-radius: 0.5rem;
      }
    `,
  ]
  @state() private networks: readonly Gas[] | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    void this.poll()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  private async poll(): Promise<void> {
    clearTimeout(this.timer)
    try {
      this.networks = (await ask<{ networks: Gas[] }>('GET', 'gas')).networks
    } catch {
      // The next poll repeats the request. Polling ends once the service starts.
    }
    if (this.isConnected) this.timer = setTimeout(() => void this.poll(), pollMs)
  }

  private deploy(network: string): void {
    void this.attempt(async () => {
      await ask('POST', 'deploy', { network })
      await this.poll()
    })
  }

  private renderDeployment({ network, isEnough, isDeployed, deployment }: Gas) {
    if (isDeployed) return html`<p role="status">✓ ${s('gas.deployed')}</p>`
    if (deployment?.state === 'running') {
      return html`<p role="status">${s('gas.deploying', deployment.done, deployment.total)}</p>`
    }
    const failed = deployment?.state === 'failed' ? new SetupFault(deployment.code ?? 'DEPLOY_FAILED', null, '') : null
    return html`
      ${failed ? html`<span class="error" role="alert">${faultSentence(failed)}</span>` : nothing}
      <div class="row">
        <wa-button
          variant="brand"
          ?disabled=${!isEnough}
          ?loading=${this.isBusy}
          @click=${() => this.deploy(network)}
        >
          ${s('gas.deploy')}
        </wa-button>
      </div>
    `
  }

  private renderNetwork(gas: Gas) {
    const { name, coin, address, qr, balance, needed } = gas
    const account = html`<p class="copied"><code>${address}</code><copy-text .text=${address} .label=${s('wallets.address')}></copy-text></p>`
    return html`
      <div class="network stack">
        <strong>${name}</strong>
        ${gas.hasContracts ? nothing : html`<p>${s('gas.solana')}</p>`}
        ${
          balance === null || needed === null
            ? html`<p>${s('gas.unread')}</p>${account}`
            : html`
              <div class="with-qr">
                ${qrPicture(qr, s('gas.qr', name))}
                <div class="stack">
                  <p>${s('gas.send', formatAmount(needed), coin)}</p>
                  ${account}
                  <p role="status">${s('gas.balance', formatAmount(balance), coin)}</p>
                </div>
              </div>
              ${gas.hasContracts ? this.renderDeployment(gas) : nothing}
            `
        }
      </div>
    `
  }

  protected override render(): unknown {
    if (this.networks === null) return html`<p role="status">${s('node.checking')}</p>`
    return html`
      <div class="stack">
        ${this.networks.some(({ hasContracts }) => hasContracts) ? html`<p>${s('gas.text')}</p>` : nothing}
        ${this.networks.map((gas) => this.renderNetwork(gas))}
        ${this.renderFault()}
        <p class="quiet small">${s('gas.later')}</p>
      </div>
    `
  }
}
