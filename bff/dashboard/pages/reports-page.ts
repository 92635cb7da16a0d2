import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { MonthProgress, MonthReport } from '../../src/api-types.ts'
import { request, urlOf } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'
import { type ListedNetwork, loadNetworks } from '../api/networks.ts'
import { type MessageKey, t } from '../locales/locale.ts'
import { localTimeZone } from '../ui/days.ts'
import { emptyState } from '../ui/empty-state.ts'
import { formatAmount, formatCount, formatDay, wholeTokens } from '../ui/format.ts'
import { networkName } from '../ui/network-label.ts'
import { Page } from '../ui/page.ts'

const sums = [
  'received',
  'receivedLate',
  'merchantAmount',
  'platformFee',
  'paidOut',
  'refunded',
  'owedToPayer',
  'returned',
] as const satisfies (keyof MonthReport['totals'][number])[]

type Answer = MonthReport | { progress: MonthProgress }

type Data = MonthReport & { networks: readonly ListedNetwork[] }

type Row = MonthReport['totals'][number] & { day?: string }

/** A month has twelve columns: they fit beside the navigation in a window of 1200 pixels. */
const columns = css`
  th,
  td {
    font-size: 0.8125rem;
  }
  @media (min-width: 50.01rem) {
    th,
    td {
      padding-inline: 0.3rem;
    }
  }
  th {
    white-space: normal;
    vertical-align: bottom;
  }
  .token {
    white-space: nowrap;
  }
  /* On a phone a day is three lines: when and what came in, of which token, how many payments. What is rare follows if there was any. */
  @media (max-width: 50rem) {
    td.zero {
      display: none;
    }
    .days tr {
      display: grid;
      gap: var(--space-1) var(--space-3);
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .days td {
      grid-column: 1 / -1;
    }
    .days td:is(.day, .token, .received) {
      display: block;
      padding: 0;
    }
    .days td:is(.day, .token, .received)::before {
      content: none;
    }
    .days td.day {
      grid-area: 1 / 1;
      font-weight: 600;
    }
    .days td.received {
      grid-area: 1 / 2;
      font-weight: 600;
    }
    .days td.token {
      color: var(--color-muted);
    }
    .days td:is(.payments, .paid) {
      display: flex;
      gap: var(--space-2);
      grid-row: 3;
      grid-column: 1;
      padding: 0;
    }
    .days td.paid {
      grid-column: 2;
      justify-self: end;
    }
    .days td:is(.merchantAmount, .platformFee, .paidOut) {
      display: none;
    }
  }
  /* A browser's own bar is white where the page is dark. */
  progress {
    appearance: none;
    inline-size: 100%;
    block-size: 0.5rem;
    overflow: hidden;
    border: 1px solid var(--wa-form-control-border-color);
    border-radius: 0.25rem;
    background: var(--wa-color-surface-default);
  }
  progress::-webkit-progress-bar {
    background: none;
  }
  progress::-webkit-progress-value {
    background: var(--wa-color-brand-fill-loud);
  }
  progress::-moz-progress-bar {
    background: var(--wa-color-brand-fill-loud);
  }
`

/** After this wait the page shows the service's progress. */
const waitSeconds = 2

/** @summary A month for accounting. */
@customElement('reports-page')
export class ReportsPage extends Page<Data> {
  static override styles = [Page.styles, columns]
  /** The current month in UTC, the initial time zone. */
  @state() private month = new Date().toISOString().slice(0, 7)
  private readonly isTest = isTestMode()
  @state() private progress: MonthProgress | null = null
  /** `stablecoin-checkout export` and `reconcile` use UTC days. */
  @state() private isUtc = true

  protected heading(): string {
    return t('page.reports')
  }

  private query() {
    return { month: this.month, isTest: this.isTest, timeZone: this.isUtc ? 'UTC' : localTimeZone() }
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const query = this.query()
    const networks = loadNetworks(signal)
    this.progress = null
    for (;;) {
      const answer = await request<Answer>('reports/month', { query, waitSeconds, signal })
      if (!('progress' in answer)) return { ...answer, networks: await networks }
      // The previous month's figures give way to this month's progress.
      this.data = undefined
      this.progress = answer.progress
    }
  }

  /** Figures of another month or time zone must not stand under the chosen one. */
  private replace(): void {
    this.data = undefined
    this.fault = undefined
    void this.reload()
  }

  protected override renderLoading(): unknown {
    const { progress } = this
    if (progress === null) return super.renderLoading()
    return html`
      <p role="status">${t('reports.reading')}</p>
      <label class="small">
        ${t('reports.read', formatCount(progress.read), formatCount(progress.payments))}
        <progress max=${progress.payments} .value=${progress.read}></progress>
      </label>
    `
  }

  protected override renderActions(): unknown {
    const onMonth = (event: Event) => {
      const { value } = event.target as HTMLInputElement
      if (!/^\d{4}-\d\d$/.test(value)) return
      this.month = value
      this.replace()
    }
    const onZone = (event: Event) => {
      this.isUtc = (event.target as HTMLSelectElement).value === 'utc'
      this.replace()
    }
    return html`
      <label class="field">
        ${t('reports.month')}
        <input type="month" .value=${this.month} min="2020-01" max="2099-12" @change=${onMonth} />
      </label>
      <label class="field">
        ${t('reports.zone')}
        <select @change=${onZone}>
          <option value="utc" ?selected=${this.isUtc}>UTC</option>
          <option value="local" ?selected=${!this.isUtc}>${localTimeZone()}</option>
        </select>
      </label>
    `
  }

  protected override isEmpty({ days }: Data): boolean {
    return days.length === 0
  }

  protected override renderEmpty(): unknown {
    const toLinks = html`<wa-button appearance="outlined" href="/dashboard/links">${t('page.links')}</wa-button>`
    return emptyState('report', t('reports.empty'), toLinks)
  }

  protected renderData({ days, totals, networks }: Data): unknown {
    const file = (extension: 'csv' | 'json') => `payments-${this.month}${this.isTest ? '-test' : ''}.${extension}`
    return html`
      <div class="card">
        <p class="quiet small">${t('reports.note')}</p>
        <div class="row">
          <a href=${urlOf('reports/month.csv', this.query())} download=${file('csv')}>${t('reports.csv')}</a>
          <a href=${urlOf('reports/month', this.query())} download=${file('json')}>${t('reports.json')}</a>
        </div>
      </div>
      <section class="card">
        <h2>${t('reports.totals')}</h2>
        ${renderTable(t('reports.totals'), totals, networks)}
      </section>
      <section class="card">
        <h2>${t('reports.byDay')}</h2>
        ${renderTable(t('reports.byDay'), days, networks)}
      </section>
    `
  }
}

const isZero = (units: string): boolean => BigInt(units) === 0n

function renderTable(label: string, rows: readonly Row[], networks: readonly ListedNetwork[]) {
  const hasDays = rows.some(({ day }) => day !== undefined)
  // Without what is zero in each row, so that the others fit beside each other.
  const shown = sums.filter((name) => name === 'received' || rows.some((row) => !isZero(row[name])))
  return html`
    <div class="scroll" role="region" aria-label=${label} tabindex="0">
      <table class=${hasDays ? 'days' : ''}>
        <thead>
          <tr>
            ${hasDays ? html`<th scope="col">${t('ops.day')}</th>` : ''}
            <th scope="col">${t('ops.token')}</th>
            <th scope="col" class="end">${t('reports.payments')}</th>
            <th scope="col" class="end">${t('home.paid')}</th>
            ${shown.map((name) => html`<th scope="col" class="end">${t(`reports.${name}` satisfies MessageKey)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`
              <tr>
                ${row.day === undefined ? '' : html`<td class="number day">${formatDay(row.day)}</td>`}
                <td class="token">${row.currency} · ${networkName(row.network, networks)}</td>
                <td class="end number payments">${formatCount(row.payments)}</td>
                <td class="end number paid">${formatCount(row.paid)}</td>
                ${shown.map((name) => renderSum(row, name, hasDays && name === 'received'))}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `
}

/** @param isKept - a day's row on a phone shows the sum even if it is zero. */
const renderSum = (row: Row, name: (typeof sums)[number], isKept: boolean) => html`
  <td class="end number ${name} ${isZero(row[name]) && !isKept ? 'zero' : ''}">
    ${formatAmount(wholeTokens(row[name], row.decimals))}
  </td>
`
