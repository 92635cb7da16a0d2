import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { WebhookDeliveries } from '../../src/api-types.ts'
import { may } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import { cutText } from '../ui/cut-text.ts'
import { formatCount, formatMilliseconds, formatTime } from '../ui/format.ts'
import './delivery-request.ts'

export type Delivery = WebhookDeliveries['deliveries'][number]

type Actions = { isBusy: boolean; redeliver: (id: string) => Promise<void> }

/** Deliveries with their attempts, and a button to send each again for people who may. */
export function deliveryTable(deliveries: readonly Delivery[], actions: Actions) {
  return html`
    <div class="scroll" role="region" aria-label=${t('webhooks.deliveries')} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('webhooks.time')}</th>
            <th scope="col">${t('webhooks.type')}</th>
            <th scope="col">${t('webhooks.state')}</th>
            <th scope="col"><span class="visually-hidden">${t('webhooks.again')}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            deliveries,
            ({ id }) => id,
            (one) => deliveryRow(one, actions),
          )}
        </tbody>
      </table>
    </div>
  `
}

function deliveryRow(delivery: Delivery, { isBusy, redeliver }: Actions) {
  const { id, type, state, url, attempts, attemptCount, paymentId, createdAt, nextAttemptAt } = delivery
  return html`
    <tr>
      <td class="number">${formatTime(createdAt)}</td>
      <td>
        <code>${type}</code>
        ${paymentId === null ? nothing : html`<div class="small"><a href="/dashboard/payments/${paymentId}">${cutText(paymentId, 20)}</a></div>`}
        <div class="small quiet">${url}</div>
      </td>
      <td>
        ${tOrNull(`webhooks.state.${state}`) ?? state}
        ${nextAttemptAt ? html`<div class="small quiet">${t('webhooks.nextAttempt', formatTime(nextAttemptAt))}</div>` : nothing}
      </td>
      <td class="end">
        <div class="buttons">
        ${
          may('post /webhooks/deliveries/{deliveryId}/redeliver')
            ? html`<wa-button size="s" appearance="outlined" ?disabled=${isBusy} @click=${() => redeliver(id)}>
                ${t('webhooks.again')}
              </wa-button>`
            : nothing
        }
        </div>
      </td>
    </tr>
    <tr class="more">
      <td colspan="4">
        <details>
          <summary>${t('payment.webhook.attempts', formatCount(attemptCount))}</summary>
          ${attempts.map(
            (attempt) => html`
              <div class="small">
                ${formatTime(attempt.sentAt)} · ${attempt.code ?? html`<span lang="en">${attempt.error}</span>`} · ${formatMilliseconds(attempt.tookMs)}
                ${attempt.url === null ? nothing : html`<div><code>${attempt.url}</code></div>`}
                ${attempt.answer === '' ? nothing : html`<pre>${attempt.answer}</pre>`}
              </div>
            `,
          )}
          <delivery-request deliveryId=${id} attemptCount=${attemptCount}></delivery-request>
        </details>
      </td>
    </tr>
  `
}
