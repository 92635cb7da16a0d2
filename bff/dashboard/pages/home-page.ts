import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { AttentionReport, FoundPayments, SummaryReport } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'
import { type ListedNetwork, loadNetworks } from '../api/networks.ts'
import { t } from '../locales/locale.ts'
import { renderStart, startStyles } from '../parts/home-start.ts'
import { renderTasks, taskStyles } from '../parts/home-tasks.ts'
import { cutText } from '../ui/cut-text.ts'
import { DayChange } from '../ui/day-change.ts'
import { lastDays, localTimeZone } from '../ui/days.ts'
import {
  formatAmount,
  formatChange,
  formatCount,
  formatCurrency,
  formatDay,
  formatMoney,
  formatTime,
  wholeTokens,
} from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { networkLabel, networkName } from '../ui/network-label.ts'
import { Page } from '../ui/page.ts'
import { chooseShopCurrency, shopCurrency } from '../ui/shop-currency.ts'
import { areAddable, changeOf, commonCurrencies, type Rates, totalIn } from '../ui/shop-total.ts'
import { shownOrder } from '../ui/shown-order.ts'
import { type BarPart, barLegend, barStyles, stackedBars } from '../ui/stacked-bars.ts'
import { outcomeBadge } from '../ui/status-badge.ts'

const spans = [1, 7, 30] as const

/** Bars below today's total. */
const barDaysMin = 7

const latestMax = 5

type RatesReport = { rates: Rates; timestamp: string }

type HomeData = {
  /** The days that were asked for: another choice is shown once its sums are there. */
  span: (typeof spans)[number]
  summary: SummaryReport
  attention: AttentionReport
  latest: FoundPayments['payments']
  networks: readonly ListedNetwork[]
  /** Null: no fresh rates. Totals are then by token. */
  rates: RatesReport | null
  /** All days of the sums, oldest first: a day may begin before others are read. */
  asked: string[]
  /** The days of the bars, oldest first. */
  days: string[]
}

type Sum = SummaryReport['totals'][number]

const styles = css`
  .home {
    display: grid;
    gap: var(--space-4);
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  /* On a phone what is to do stands before the latest payments, on a wide screen beside both. */
  @media (min-width: 72rem) {
    .home {
      grid-template: auto 1fr / minmax(0, 1fr) 21rem;
    }
    .home > :nth-child(2) {
      grid-area: 1 / 2 / span 2;
    }
  }
  .figure {
    font-size: var(--text-2xl);
    font-weight: 650;
    line-height: 1.2;
    letter-spacing: -0.02em;
  }
  .change {
    padding: 2px var(--space-2);
    font-size: var(--text-s);
    font-weight: 600;
    color: var(--color-muted);
    background: var(--color-raised);
    border-radius: 99px;
  }
  .change.up {
    color: var(--color-success);
    background: var(--color-success-quiet);
  }
  .choices {
    align-items: start;
  }
  .latest {
    display: grid;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .latest li {
    display: grid;
    gap: 0 var(--space-4);
    grid-template-columns: minmax(0, 1fr) auto;
    padding-block: var(--space-3);
    border-top: 1px solid var(--color-border);
  }
  .latest li > :nth-child(even) {
    justify-self: end;
    align-self: start;
  }
`

/** @summary Received money, what is to do, and the latest payments; live. */
@customElement('home-page')
export class HomePage extends Page<HomeData> {
  static override styles = [Page.styles, barStyles, taskStyles, startStyles, styles]
  @state() private span: (typeof spans)[number] = 7
  @state() private currency = shopCurrency()

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
    // "Today" is another day.
    new DayChange(this, () => void this.reload())
  }

  protected heading(): string {
    return t('page.home')
  }

  protected async load(signal: AbortSignal): Promise<HomeData> {
    const isTest = isTestMode()
    const { span } = this
    // Today is compared with the same day a week ago, and several days with as many before them.
    const asked = lastDays(Math.max(2 * span, barDaysMin + 1))
    const query = { from: asked[0] ?? '', to: asked.at(-1) ?? '', timeZone: localTimeZone(), isTest }
    const [summary, attention, { payments }, networks, rates] = await Promise.all([
      request<SummaryReport>('reports/summary', { query, signal }),
      request<AttentionReport>('reports/attention', { query: { isTest }, signal }),
      request<FoundPayments>('payments', { query: { limit: latestMax }, signal }),
      loadNetworks(signal),
      request<RatesReport>('currency/rates', { signal }).catch(() => null),
    ])
    return {
      span,
      summary,
      attention,
      latest: payments,
      networks,
      rates,
      asked,
      days: asked.slice(-Math.max(span, barDaysMin)),
    }
  }

  private readonly chooseSpan = (event: Event): void => {
    this.span = spans[(event.target as HTMLSelectElement).selectedIndex] ?? 7
    void this.reload()
  }

  private readonly chooseCurrency = (event: Event): void => {
    this.currency = (event.target as HTMLSelectElement).value
    chooseShopCurrency(this.currency)
  }

  protected override renderActions(): unknown {
    return html`
      <select aria-label=${t('home.span')} @change=${this.chooseSpan}>
        ${spans.map(
          (days) =>
            html`<option ?selected=${days === this.span}>${days === 1 ? t('home.today') : t('home.days', days)}</option>`,
        )}
      </select>
    `
  }

  protected renderData(data: HomeData): unknown {
    const { attention, latest } = data
    const isNew = !attention.setup.payments && latest.length === 0
    if (isNew) return html`${renderStart(attention.setup)} ${renderTasks(attention)}`
    return html`
      <div class="home">${this.renderReceived(data)} ${renderTasks(attention)} ${renderLatest(data)}</div>
    `
  }

  private renderReceived(data: HomeData) {
    const { summary, rates, days } = data
    const [now, before] = spansOf(data)
    const tokens = [...now, ...before].map(({ currency }) => currency)
    const currencies = rates ? commonCurrencies(tokens.length > 0 ? tokens : Object.keys(rates.rates), rates.rates) : []
    const currency = currencies.includes(this.currency) ? this.currency : (currencies[0] ?? null)
    const parts = partsOf(data, now, currency)
    const shown = summary.days.filter(({ day }) => days.includes(day)).map((row) => row.currency)
    const created = now.reduce((sum, row) => sum + row.created, 0)
    const paid = now.reduce((sum, row) => sum + row.paid, 0)
    return html`
      <section class="card" aria-labelledby="received">
        <div class="row spread choices">
          <h2 id="received">${t('home.received')}</h2>
          ${
            currencies.length > 1
              ? html`<select aria-label=${t('home.currency')} @change=${this.chooseCurrency}>
                  ${currencies.map((one) => html`<option ?selected=${one === currency}>${one}</option>`)}
                </select>`
              : nothing
          }
        </div>
        ${currency && rates ? renderTotal([now, before], currency, rates, data.span) : renderSums(now)}
        <p class="quiet">${t('home.paidOf', formatCount(paid), formatCount(created))}</p>
        ${currency || areAddable(shown) ? html`${stackedBars(days, parts)} ${barLegend(parts)}` : nothing}
        ${renderTable(data)}
      </section>
    `
  }
}

/** The rows of the chosen days, and those that they are compared with. */
function spansOf({ summary: { days: rows }, span, asked }: HomeData): [Sum[], Sum[]] {
  const chosen = asked.slice(-span)
  const earlier = asked.slice(0, span)
  const of = (days: readonly string[]) => rows.filter(({ day }) => days.includes(day))
  return [of(chosen), of(earlier)]
}

function renderTotal([now, before]: [Sum[], Sum[]], currency: string, { rates, timestamp }: RatesReport, span: number) {
  const total = totalIn(currency, now, rates)
  const earlier = totalIn(currency, before, rates)
  if (total === null || earlier === null) return renderSums(now)
  const change = changeOf(total, earlier)
  const was = formatCurrency(earlier, currency)
  return html`
    <div class="row">
      <span class="figure number">${formatCurrency(total, currency)}</span>
      ${change === null ? nothing : html`<span class="change ${change > 0 ? 'up' : ''}">${formatChange(change)}</span>`}
    </div>
    <p class="small quiet">
      ${span === 1 ? t('home.against.day', was) : t('home.against.days', span, was)}<br />
      ${t('home.converted', formatTime(timestamp))}
    </p>
  `
}

/** Without rates: what came in of each token. */
function renderSums(rows: readonly Sum[]) {
  const sums = groupsOf(rows, ({ currency, decimals }) => `${currency} ${decimals}`).map((group) => {
    const [{ currency = '', decimals = 0 } = {}] = group
    const units = group.reduce((sum, { received }) => sum + BigInt(received), 0n)
    return formatMoney(wholeTokens(String(units), decimals), currency)
  })
  return html`${sums.map((sum) => html`<span class="figure number">${sum}</span>`)}`
}

/** The rows by key, in the order of each key's first row. */
function groupsOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
}

const tokenKey = ({ network, currency }: { network: string; currency: string }): string => `${currency} ${network}`

/** The parts of the bars, one for each token on a network. Without a currency the tokens must be addable. */
function partsOf(
  { summary, days, networks, rates }: HomeData,
  now: readonly Sum[],
  currency: string | null,
): BarPart[] {
  const shown = summary.days.filter(({ day }) => days.includes(day))
  return groupsOf(shown, tokenKey).flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const rate = (currency && rates?.rates[first.currency]?.[currency]) || 1
    // Of the chosen days: the bars may show more.
    const chosen = now.filter((one) => tokenKey(one) === tokenKey(first))
    const units = chosen.reduce((sum, { received }) => sum + BigInt(received), 0n)
    return {
      label: html`${first.currency} · ${networkLabel(first.network, networks)}`,
      name: `${first.currency} · ${networkName(first.network, networks)}`,
      text: formatAmount(wholeTokens(String(units), first.decimals)),
      values: days.map((day) => {
        const row = rows.find((one) => one.day === day)
        return row ? Number(wholeTokens(row.received, row.decimals)) * rate : 0
      }),
    }
  })
}

function renderTable({ summary, days, networks }: HomeData) {
  return html`
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
            ${summary.days
              .filter(({ day }) => days.includes(day))
              .map(
                (row) => html`
                  <tr>
                    <td>${formatDay(row.day)}</td>
                    <td>${row.currency} · ${networkName(row.network, networks)}</td>
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
  `
}

function renderLatest({ latest, networks }: HomeData) {
  return html`
    <section class="card" aria-labelledby="latest">
      <div class="row spread">
        <h2 id="latest">${t('home.latest')}</h2>
        <a href="/dashboard/payments">${t('payment.back')}</a>
      </div>
      <ul class="latest">
        ${latest.map(
          (payment) => html`
            <li>
              <a href="/dashboard/payments/${payment.paymentId}">${cutText(shownOrder(payment.orderId) ?? t('payments.noOrder'))}</a>
              <strong class="number">${formatMoney(payment.amount, payment.currency)}</strong>
              <span class="small quiet">${formatTime(payment.createdAt)} · ${networkLabel(payment.network, networks)}</span>
              ${outcomeBadge(payment)}
            </li>
          `,
        )}
      </ul>
    </section>
  `
}
