import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing } from 'lit'
import type { AttentionReport } from '../../src/api-types.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { formatCoins, formatCount, formatMoney, formatTime } from '../ui/format.ts'
import { qrPicture } from '../ui/qr-picture.ts'
import { shownOrder } from '../ui/shown-order.ts'
import { technicalDetails } from '../ui/technical-details.ts'

export const taskStyles = css`
  .tasks {
    display: grid;
    gap: var(--space-3);
    margin: 0;
    padding: 0;
    list-style: none;
    overflow-wrap: anywhere;
  }
  .task {
    display: grid;
    gap: var(--space-2);
    grid-template-columns: minmax(0, 1fr);
    padding: var(--space-3) var(--space-4);
    background: var(--color-raised);
    border-inline-start: 3px solid var(--color-warning);
    border-radius: var(--radius-s);
  }
  .task wa-button {
    justify-self: start;
  }
  .qr {
    display: block;
    width: min(100%, 8rem);
  }
`

type Need = AttentionReport['payments'][number]

/** The label of the task's button. People without the right to return money can only open the payment. */
const actionOf = (attention: Need['attention']): string =>
  may('post /deposits/refund-request/{paymentId}') ? t(`home.act.${attention}`) : t('home.open')

/** The tasks that wait for a person, most urgent first, each with its amount and button. */
export function renderTasks({ payments, endpoints, gas, networks }: AttentionReport) {
  const hidden = payments.reduce((sum, { count, newest }) => sum + count - newest.length, 0)
  const isEmpty = payments.length + endpoints.length + gas.length + networks.length === 0
  return html`
    <section class="card" aria-labelledby="tasks">
      <h2 id="tasks">${t('home.needs')}</h2>
      ${
        isEmpty
          ? html`<p class="quiet">${t('home.noNeeds')}</p>`
          : html`<ul class="tasks">
              ${networks.map(
                ({ name, reason }) => html`
                  <li class="task">
                    <strong>${t('home.networkDown', name)}</strong>
                    ${may('get /system') ? html`<a href="/dashboard/system">${t('home.act.payout_failed')}</a>` : nothing}
                    ${technicalDetails(reason)}
                  </li>
                `,
              )}
              ${gas.map(renderGas)} ${endpoints.map(renderEndpoint)}
              ${payments.flatMap(({ attention, newest }) => newest.map((payment) => renderPayment(attention, payment)))}
            </ul>`
      }
      ${
        hidden > 0
          ? html`<a href="/dashboard/payments?kind=to_do">${t('action.more')} (${formatCount(hidden)})</a>`
          : nothing
      }
    </section>
  `
}

function renderPayment(
  attention: Need['attention'],
  { id, orderId, owed, awaitsAddress, createdAt }: Need['newest'][number],
) {
  const name = shownOrder(orderId) ?? id
  const [need, action] = awaitsAddress
    ? [t('refunds.status.awaiting_address'), t('home.open')]
    : [t(`attention.${attention}`), actionOf(attention)]
  return html`
    <li class="task">
      <div>
        ${owed.map(
          ({ to, amount, currency }) =>
            html`<div><strong>${t(`home.owed.${to}`, formatMoney(amount, currency))}</strong></div>`,
        )}
        <a href="/dashboard/payments/${id}">${cutText(name)}</a>
        <div class="small quiet">${need} · ${formatTime(createdAt)}</div>
      </div>
      <wa-button
        size="s"
        variant=${awaitsAddress ? 'neutral' : 'brand'}
        appearance=${awaitsAddress ? 'outlined' : 'accent'}
        href="/dashboard/payments/${id}"
      >
        ${action}<span class="visually-hidden">: ${name}</span>
      </wa-button>
    </li>
  `
}

function renderGas({ network, currency, address, qr, balance, needed }: AttentionReport['gas'][number]) {
  return html`
    <li class="task">
      <span>
        ${t('home.gas', network, formatCoins(balance, currency), formatCoins(needed, currency, 'up'))} <code>${address}</code>
        <copy-text text=${address} label=${t('payments.address')}></copy-text>
      </span>
      ${qrPicture(qr, t('home.gas.code', network))}
    </li>
  `
}

function renderEndpoint({ url, disabledReason }: AttentionReport['endpoints'][number]) {
  const text = disabledReason === null ? t('home.endpointFailing') : t('home.endpointOff')
  return html`<li class="task"><span>${text} <a href="/dashboard/webhooks">${url}</a></span></li>`
}
