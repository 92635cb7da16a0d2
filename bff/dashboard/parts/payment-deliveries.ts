import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { WebhookDeliveries } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import './delivery-request.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatMilliseconds, formatTime } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

type Delivery = WebhookDeliveries['deliveries'][number]

const styles = css`
  summary {
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  details {
    padding-block: 0.5rem;
    border-bottom: 1px solid var(--wa-color-surface-border);
  }
  .inside {
    display: grid;
    gap: 0.5rem;
    padding-top: 0.5rem;
  }
`

/**
 * @summary A payment's webhooks with the receiver's responses.
 * @event payment-changed - A webhook is sent again.
 */
@customElement('payment-deliveries')
export class PaymentDeliveries extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) deliveries: readonly Delivery[] = []
  @state() private fault: unknown
  @state() private sentAgain = ''

  private async sendAgain({ id }: Delivery): Promise<void> {
    this.fault = undefined
    try {
      await request(`webhooks/deliveries/${id}/redeliver`, { method: 'POST' })
      this.sentAgain = id
      this.dispatchEvent(new Event('payment-changed'))
    } catch (fault) {
      this.fault = fault
    }
  }

  private renderDelivery(delivery: Delivery) {
    const { id, type, url, state, createdAt, attemptCount, attempts } = delivery
    return html`
      <details>
        <summary>${type} · ${tOrNull(`delivery.${state}`) ?? state} <span class="small quiet">${formatTime(createdAt)}</span></summary>
        <div class="inside small">
          <p>${t('payment.webhook.request', url)}</p>
          <p>${t('payment.webhook.attempts', formatCount(attemptCount))}</p>
          ${attempts.map(
            ({ url: sentTo, sentAt, code, error, answer, tookMs }) => html`
              <div>
                ${formatTime(sentAt)} · ${code ?? html`<span lang="en">${error}</span>`} · ${formatMilliseconds(tookMs)}
                ${sentTo === null ? nothing : html`<div><code>${sentTo}</code></div>`}
              </div>
              ${answer ? html`<pre tabindex="0" aria-label=${t('payment.webhook.answer')}>${answer}</pre>` : nothing}
            `,
          )}
          <delivery-request deliveryId=${id} attemptCount=${attemptCount}></delivery-request>
          ${
            may('post /webhooks/deliveries/{deliveryId}/redeliver')
              ? html`
                  <div class="row">
                    <wa-button size="s" appearance="outlined" @click=${() => this.sendAgain(delivery)}>
                      ${t('payment.webhook.again')}
                    </wa-button>
                    <span role="status">${this.sentAgain === id ? t('payment.webhook.sentAgain') : nothing}</span>
                  </div>
                `
              : nothing
          }
        </div>
      </details>
    `
  }

  protected override render(): unknown {
    return html`
      ${this.fault === undefined ? nothing : faultCallout(this.fault)}
      ${
        this.deliveries.length === 0
          ? html`<p class="quiet">${t('payment.webhooks.empty')}</p>`
          : repeat(
              this.deliveries,
              ({ id }) => id,
              (delivery) => this.renderDelivery(delivery),
            )
      }
    `
  }
}
