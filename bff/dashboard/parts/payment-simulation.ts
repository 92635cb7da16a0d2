import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { baseStyles } from '../ui/styles.ts'

/** What `POST /sandbox/payments/{id}/simulate` takes, in the order in which a payment lives. */
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
 * @summary Lets things happen to a test payment, which nobody can pay. What cannot happen to it the service refuses, and says why.
 * @event payment-changed - Something has happened.
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
