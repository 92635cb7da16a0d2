import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { baseStyles } from '../ui/styles.ts'

/** The actions of `POST /sandbox/payments/{id}/simulate`, in the order of a payment's life. */
const actions = [
  'detect',
  'underpay',
  'complete',
  'overpay',
  'expire',
  'late',
  'refund',
  'sweep_fail',
  'reorg',
  'fail',
] as const
type Action = (typeof actions)[number]

/**
 * @summary Simulates events of a test payment, which nobody can pay. The service refuses impossible events with a reason.
 * @event payment-changed - An event was simulated.
 */
@customElement('payment-simulation')
export class PaymentSimulation extends LitElement {
  static override styles = baseStyles
  @property() paymentId = ''
  @state() private running: Action | null = null
  @state() private done: Action | null = null
  @state() private fault: unknown

  private async simulate(action: Action): Promise<void> {
    if (this.running !== null) return
    this.running = action
    this.done = null
    this.fault = undefined
    try {
      await request(`sandbox/payments/${this.paymentId}/simulate`, { body: { action } })
      this.done = action
      this.dispatchEvent(new Event('payment-changed'))
    } catch (fault) {
      this.fault = fault
    }
    this.running = null
  }

  protected override render(): unknown {
    return html`
      <div class="stack">
        <div class="row">
          ${actions.map(
            (action) => html`
              <wa-button
                size="s"
                appearance="outlined"
                ?loading=${this.running === action}
                @click=${() => this.simulate(action)}
              >
                ${t(`simulate.${action}`)}
              </wa-button>
            `,
          )}
        </div>
        <p role="status" class="small">${this.done === null ? nothing : t('simulate.done', t(`simulate.${this.done}`))}</p>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
      </div>
    `
  }
}
