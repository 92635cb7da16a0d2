import { html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import '../ui/copy-button.ts'
import { formatAmount, formatMoney } from '../ui/format.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'
import { askAsShop, type OfferedNetwork, readPayment } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

const pollMs = 2_000

/** A tenth of what Circle's faucet gives per request. */
const amount = '0.10'
const currency = 'USDC'
const faucet = 'https://faucet.circle.com'

type Followed = {
  outcome: 'pending' | 'paid' | 'failed'
  paymentState: string
  depositAddress: string | null
  amountDetected: string | null
  confirmations: number
  requiredConfirmations: number
  qr?: { address: QrCode }
}

/**
 * @summary A payment of test tokens on a test network, from a wallet to a deposit address, followed until it is paid.
 * @event setup-paid - Once.
 */
@customElement('setup-payment')
export class SetupPayment extends SetupStep {
  @property() publicKey = ''
  /** Test networks that the shop accepts. */
  @property({ attribute: false }) networks: readonly OfferedNetwork[] = []
  @state() private payable: readonly OfferedNetwork[] = []
  @state() private network: OfferedNetwork | null = null
  @state() private payment: Followed | null = null
  private paymentId: string | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    void this.poll()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  /** Before the payment, reads the payable networks, because a service that has just started is still verifying them. */
  private async poll(): Promise<void> {
    clearTimeout(this.timer)
    try {
      if (this.paymentId === null) await this.readPayable()
      else await this.follow(this.paymentId)
    } catch {
      // The next poll repeats the request.
    }
    const isOver = this.payment !== null && this.payment.outcome !== 'pending'
    if (this.isConnected && !isOver) this.timer = setTimeout(() => void this.poll(), pollMs)
  }

  private async readPayable(): Promise<void> {
    const { networks } = await askAsShop<{ networks: { shortName: string }[] }>(this.publicKey, 'networks/payable')
    const names = new Set(networks.map(({ shortName }) => shortName))
    this.payable = this.networks.filter(({ network }) => names.has(network))
  }

  private async follow(id: string): Promise<void> {
    const { payment } = await readPayment<{ payment: Followed }>(id)
    const wasPaid = this.payment?.outcome === 'paid'
    this.payment = payment
    if (payment.outcome === 'paid' && !wasPaid)
      this.dispatchEvent(new Event('setup-paid', { bubbles: true, composed: true }))
  }

  private make(network: OfferedNetwork): void {
    void this.attempt(async () => {
      const body = { amount, currency, network: network.network }
      type Answer = { payment: { id: string } }
      const { payment } = await askAsShop<Answer>(this.publicKey, 'deposits/create', body)
      this.network = network
      this.payment = null
      this.paymentId = payment.id
      await this.poll()
    })
  }

  private renderProgress({ outcome, paymentState, amountDetected, ...progress }: Followed) {
    const { confirmations, requiredConfirmations } = progress
    if (outcome !== 'pending') return html`<span class="error" role="alert">${s('real.ended')}</span>`
    if (paymentState === 'underpaid')
      return s('real.part', formatAmount(amountDetected ?? '0'), formatMoney(amount, currency))
    if (Number(amountDetected ?? 0) > 0) return s('real.seen', confirmations, requiredConfirmations)
    return s('real.waiting')
  }

  private renderPayment(payment: Followed, name: string) {
    const { depositAddress, qr, outcome } = payment
    if (outcome === 'paid') {
      return html`<wa-callout variant="success" role="status">${s('real.paid', name)}</wa-callout>`
    }
    return html`
      <div class="with-qr">
        ${qr ? qrPicture(qr.address, s('real.qr')) : nothing}
        <div class="stack">
          <p>${s('real.send', formatMoney(amount, currency), name)}</p>
          <p class="copied"><code>${depositAddress}</code><copy-text .text=${depositAddress ?? ''} .label=${s('wallets.address')}></copy-text></p>
          <p><a href=${faucet} target="_blank" rel="noreferrer">${s('real.faucet')}</a></p>
          <p role="status">${this.renderProgress(payment)}</p>
        </div>
      </div>
    `
  }

  protected override render(): unknown {
    const { payment, network } = this
    const isOver = payment !== null && payment.outcome !== 'pending' && payment.outcome !== 'paid'
    return html`
      <div class="stack">
        <h3>${s('real.title')}</h3>
        ${payment && network ? this.renderPayment(payment, network.name) : html`<p>${s('real.text')}</p>`}
        ${payment === null && this.payable.length === 0 ? html`<p class="quiet small" role="status">${s('real.notYet')}</p>` : nothing}
        <div class="row">
          ${
            payment === null || isOver
              ? this.payable.map(
                  (one) => html`
                    <wa-button appearance="outlined" ?loading=${this.isBusy} @click=${() => this.make(one)}>
                      ${s('real.make', one.name)}
                    </wa-button>
                  `,
                )
              : nothing
          }
        </div>
        ${this.renderFault()}
      </div>
    `
  }
}
