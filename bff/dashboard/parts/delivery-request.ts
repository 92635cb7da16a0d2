import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { WebhookRequest } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatTime } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

const styles = css`
  :host {
    display: grid;
    gap: 0.5rem;
    justify-items: start;
  }
  pre {
    justify-self: stretch;
    white-space: pre-wrap;
    max-height: 20rem;
  }
`

/** @summary A webhook delivery's request, loaded on demand: the headers of each attempt, and the exact body. */
@customElement('delivery-request')
export class DeliveryRequest extends LitElement {
  static override styles = [baseStyles, styles]
  /** Set once: lists keep each delivery's row. */
  @property() deliveryId = ''
  /** Reloaded when the delivery has another attempt. */
  @property({ type: Number }) attemptCount = 0
  @state() private shown: WebhookRequest | undefined
  @state() private fault: unknown
  @state() private isLoading = false

  private readonly load = async (): Promise<void> => {
    this.isLoading = true
    this.fault = undefined
    try {
      const answer = await request<{ request: WebhookRequest }>(`webhooks/deliveries/${this.deliveryId}/request`)
      this.shown = answer.request
    } catch (fault) {
      this.fault = fault
    }
    this.isLoading = false
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (this.shown !== undefined && changed.has('attemptCount')) void this.load()
  }

  private renderShown({ method, url, headers, attempts, body, bodyBytes, isCut }: WebhookRequest) {
    const label = t('webhooks.request')
    return html`
      <pre tabindex="0" aria-label=${label}>${method} ${url}\n${linesOf(headers)}</pre>
      ${attempts.map(
        (attempt) => html`
          <div class="small">
            ${formatTime(attempt.sentAt)}${attempt.url === null ? nothing : html` · <code>${attempt.url}</code>`}${
              attempt.headers ? nothing : html` · ${t('webhooks.unsigned')}`
            }
          </div>
          ${
            attempt.headers
              ? html`<pre tabindex="0" aria-label="${label} ${attempt.number}">${linesOf(attempt.headers)}</pre>`
              : nothing
          }
        `,
      )}
      <pre tabindex="0" aria-label=${t('webhooks.body')} data-body>${body}</pre>
      <div class="row small quiet">
        ${isCut ? t('webhooks.bodyCut', formatCount(body.length), formatCount(bodyBytes)) : nothing}
        <copy-text text=${body} label=${t('webhooks.body')}></copy-text>
      </div>
    `
  }

  protected override render(): unknown {
    return html`
      ${
        this.shown
          ? this.renderShown(this.shown)
          : html`
              <wa-button size="s" appearance="outlined" ?loading=${this.isLoading} @click=${this.load}>
                ${t('webhooks.requestShow')}
              </wa-button>
            `
      }
      ${this.fault === undefined ? nothing : faultCallout(this.fault)}
    `
  }
}

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
