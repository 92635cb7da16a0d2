import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { AttentionReport, SummaryReport } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { lastDays, localTimeZone } from '../ui/days.ts'
import {
  formatAmount,
  formatCoins,
  formatCount,
  formatDay,
  formatMoney,
  formatPercent,
  formatShortDay,
  formatTime,
  wholeTokens,
} from '../ui/format.ts'
import { Page } from '../ui/page.ts'
import { qrPicture } from '../ui/qr-picture.ts'

const spans = [1, 7, 30] as const

type HomeData = { summary: SummaryReport; attention: AttentionReport; days: string[] }

const styles = css`
  .figure {
    font-size: 1.5rem;
    font-weight: 600;
  }
  ul,
  ol {
    display: grid;
    gap: 0.5rem;
    margin: 0;
    padding-inline-start: 1.25rem;
    overflow-wrap: anywhere;
  }
  .need {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    justify-content: space-between;
    align-items: center;
    padding-block: 0.5rem;
    border-top: 1px solid var(--wa-color-surface-border);
  }
  .needs {
    padding-inline-start: 0;
    list-style: none;
  }
  .qr {
    display: block;
    width: min(100%, 8rem);
    margin-top: 0.5rem;
  }
`

/** @summary Received money and pending tasks. */
@customElement('home-page')
export class HomePage extends Page<HomeData> {
  static override styles = [Page.styles, styles]
  @state() private span: (typeof spans)[number] = 7

  protected heading(): string {
    return t('page.home')
  }

  protected async load(signal: AbortSignal): Promise<HomeData> {
    const isTest = isTestMode()
    const days = lastDays(this.span)
    const query = { from: days[0] ?? '', to: days.at(-1) ?? '', timeZone: localTimeZone(), isTest }
    const [summary, attention] = await Promise.all([
      request<SummaryReport>('reports/summary', { query, signal }),
      request<AttentionReport>('reports/attention', { query: { isTest }, signal }),
    ])
    return { summary, attention, days }
  }

  private change(change: () => void): void {
    change()
    void this.reload()
  }

  protected override renderActions(): unknown {
    return html`
      <label class="field">
        ${t('home.span')}
        <select
          @change=${(event: Event) =>
            this.change(() => {
              this.span = spans[(event.target as HTMLSelectElement).selectedIndex] ?? 7
            })}
        >
          ${spans.map(
            (days) =>
              html`<option ?selected=${days === this.span}>${days === 1 ? t('home.today') : t('home.days', days)}</option>`,
          )}
        </select>
      </label>
    `
  }

  protected renderData({ summary, attention, days }: HomeData): unknown {
    const isNew = !attention.setup.payments && summary.created === 0
    return html`
      ${isNew ? renderSetup(attention.setup) : nothing} ${renderNeeds(attention)}
      ${isNew ? nothing : html`${renderFigures(summary)}${renderChart(summary, days)}`}
    `
  }
}

const tokenOf = ({ network, currency }: { network: string; currency: string }): string => `${currency} · ${network}`

function renderFigures({ created, paid, conversionBps, totals }: SummaryReport) {
  return html`
    <div class="grid">
      <section class="card">
        <h2>${t('home.created')}</h2>
        <span class="figure number">${formatCount(created)}</span>
      </section>
      <section class="card">
        <h2>${t('home.paid')}</h2>
        <span class="figure number">${formatCount(paid)}</span>
        <span class="quiet">
          ${conversionBps === null ? t('state.empty') : t('home.conversion', formatPercent(conversionBps / 10_000))}
        </span>
      </section>
      <section class="card">
        <h2>${t('home.received')}</h2>
        ${totals.map(
          (row) => html`
            <div>
              <span class="figure number">${formatAmount(wholeTokens(row.received, row.decimals))}</span>
              <span class="quiet">${tokenOf(row)}</span>
            </div>
          `,
        )}
        ${totals.length === 0 ? html`<span class="quiet">${t('state.empty')}</span>` : nothing}
      </section>
    </div>
  `
}

function renderChart({ days: rows, totals }: SummaryReport, days: readonly string[]) {
  // Loads after the figures. If it cannot be drawn, the table remains: uPlot throws for a locale such as `en-US@posix`.
  void import('../ui/sums-chart.ts').catch(() => undefined)
  const lines = totals.map((total) => ({
    label: tokenOf(total),
    values: days.map((day) => {
      const row = rows.find((one) => one.day === day && tokenOf(one) === tokenOf(total))
      return row ? Number(wholeTokens(row.received, row.decimals)) : 0
    }),
  }))
  return html`
    <section class="card">
      <h2>${t('home.receivedByDay')}</h2>
      ${days.length > 1 ? html`<sums-chart .days=${days.map(formatShortDay)} .lines=${lines}></sums-chart>` : nothing}
      <details>
        <summary>${t('home.table')}</summary>
        <div class="scroll" role="region" aria-label=${t('home.receivedByDay')} tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">${t('ops.day')}</th>
                <th scope="col">${t('ops.token')}</th>
                <th scope="col" class="end">${t('home.created')}</th>
                <th scope="col" class="end">${t('home.paid')}</th>
                <th scope="col" class="end">${t('home.received')}</th>
                <th scope="col" class="end">${t('reports.refunded')}</th>
              </tr>
            </thead>
            <tbody>
              ${rows.map(
                (row) => html`
                  <tr>
                    <td>${formatDay(row.day)}</td>
                    <td>${tokenOf(row)}</td>
                    <td class="end number">${formatCount(row.created)}</td>
                    <td class="end number">${formatCount(row.paid)}</td>
                    <td class="end number">${formatAmount(wholeTokens(row.received, row.decimals))}</td>
                    <td class="end number">${formatAmount(wholeTokens(row.refunded, row.decimals))}</td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  `
}

function renderNeeds({ payments, endpoints, gas, networks }: AttentionReport) {
  if (payments.length + endpoints.length + gas.length + networks.length === 0) {
    return html`<section class="card"><h2>${t('home.needs')}</h2><p>${t('home.noNeeds')}</p></section>`
  }
  return html`
    <section class="card">
      <h2>${t('home.needs')}</h2>
      <ul>
        ${networks.map(({ name, reason }) => html`<li>${t('home.networkDown', name)} <span class="quiet">${reason}</span></li>`)}
        ${gas.map(({ network, currency, address, qr, balance, needed }) => {
          return html`<li>
            ${t('home.gas', network, formatCoins(balance, currency), formatCoins(needed, currency, 'up'))} <code>${address}</code>
            <copy-text text=${address} label=${t('payments.address')}></copy-text>
            ${qrPicture(qr, t('home.gas.code', network))}
          </li>`
        })}
        ${endpoints.map(({ url, disabledReason }) => {
          const text = disabledReason === null ? t('home.endpointFailing') : t('home.endpointOff')
          return html`<li>${text} <a href="/dashboard/webhooks">${url}</a></li>`
        })}
        ${payments.map(
          ({ attention, count, newest }) => html`
            <li>
              ${t(`attention.${attention}`)}: <a href="/dashboard/payments?attention=${attention}">${formatCount(count)}</a>
              <ul class="needs">
                ${newest.map(
                  (payment) => html`
                    <li class="need">
                      <div>
                        <a href="/dashboard/payments/${payment.id}">${cutText(payment.orderId ?? payment.id)}</a>
                        ${payment.owed.map(
                          ({ to, amount, currency }) =>
                            html`<div><strong>${t(`home.owed.${to}`, formatMoney(amount, currency))}</strong></div>`,
                        )}
                        <div class="small quiet">${formatTime(payment.createdAt)}</div>
                      </div>
                      <wa-button
                        size="s"
                        appearance="outlined"
                        href="/dashboard/payments/${payment.id}"
                        aria-label="${actionOf(attention)}: ${payment.orderId ?? payment.id}"
                      >
                        ${actionOf(attention)}
                      </wa-button>
                    </li>
                  `,
                )}
              </ul>
            </li>
          `,
        )}
      </ul>
    </section>
  `
}

/** The one thing to do about it; without the right to return money, only to see it. */
const actionOf = (attention: AttentionReport['payments'][number]['attention']): string =>
  may('post /deposits/refund-request/{paymentId}') ? t(`home.act.${attention}`) : t('home.open')

/** A new merchant's steps, in order. */
function renderSetup({ networks, wallets, payments, endpoints }: AttentionReport['setup']) {
  const system = may('get /system') ? '/dashboard/system' : null
  const steps = [
    { isDone: wallets > 0, text: t('home.setup.wallet'), href: '/dashboard/settings' },
    { isDone: networks > 0, text: t('home.setup.network'), href: system },
    { isDone: payments, text: t('home.setup.link'), href: '/dashboard/links' },
    { isDone: endpoints > 0, text: t('home.setup.webhook'), href: '/dashboard/webhooks' },
    { isDone: false, text: t('home.setup.doctor'), href: system },
  ]
  return html`
    <section class="card">
      <h2>${t('home.setup')}</h2>
      <ol>
        ${steps.map(
          ({ isDone, text, href }) => html`
            <li>
              ${href ? html`<a href=${href}>${text}</a>` : text} ${isDone ? html`<span class="quiet">${t('home.setup.done')}</span>` : nothing}
            </li>
          `,
        )}
      </ol>
    </section>
  `
}
