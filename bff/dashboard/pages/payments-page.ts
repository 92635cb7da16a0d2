import '@awesome.me/webawesome/dist/components/button/button.js'
import { FlexRender, TableController } from '@tanstack/lit-table'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { FoundPayments } from '../../src/api-types.ts'
import { queryText, request } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import { filterForm, type ListedNetwork } from '../parts/payment-filter-form.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { navigate, navigatedEvent } from '../ui/navigate.ts'
import { Page } from '../ui/page.ts'
import {
  chooseColumns,
  chosenColumns,
  columnLabels,
  columns,
  type FoundPayment,
  features,
  isMoney,
} from '../ui/payment-columns.ts'
import { type Filters, filterNames, isFiltered, parseFilters, queryOf } from '../ui/payment-filters.ts'

const rowsOfPage = 50

type NetworkList = { networks: readonly ListedNetwork[] }

type TokenList = { stablecoins: readonly { symbol: string }[] }

type Data = FoundPayments & { networks: NetworkList['networks']; tokens: readonly string[] }

const styles = css`
  .search {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: end;
  }
  .search label {
    flex: 1 1 12rem;
  }
  .filters {
    display: grid;
    gap: 0.75rem;
    padding-top: 0.75rem;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr));
  }
  @media (min-width: 50.01rem) {
    td.time {
      white-space: nowrap;
    }
  }
  details > summary {
    cursor: pointer;
    min-height: 1.5rem;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    margin: 0.5rem 0 0;
    padding: 0;
    border: 0;
  }
  fieldset label {
    display: flex;
    gap: 0.5rem;
    align-items: center;
  }
  td code {
    display: inline-block;
    max-width: 12rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    vertical-align: bottom;
  }
`

/** @summary The shop's payments, newest first: filters in the URL, selectable columns, live changes. */
@customElement('payments-page')
export class PaymentsPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @state() private visibility = chosenColumns()
  @state() private hasChanged = false
  private readonly table = new TableController<typeof features, FoundPayment>(this)
  private networks: NetworkList['networks'] = []
  private tokens: readonly string[] = []

  constructor() {
    super()
    new PaymentChanges(this, (isFirst) => this.notice(isFirst))
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener(navigatedEvent, this.followAddress)
    window.addEventListener('popstate', this.followAddress)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener(navigatedEvent, this.followAddress)
    window.removeEventListener('popstate', this.followAddress)
  }

  private readonly followAddress = (): void => {
    if (location.pathname === '/dashboard/payments') void this.reload()
  }

  private get filters(): Filters {
    return parseFilters(location.search)
  }

  /** The first page updates at once. On later pages, rows would move while being read. */
  private notice(isFirst: boolean): void {
    if (!this.filters.after) void this.reload()
    else if (!isFirst) this.hasChanged = true
  }

  protected heading(): string {
    return t('page.payments')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const query = { ...queryOf(this.filters), limit: rowsOfPage }
    const [found, { networks }, { stablecoins }] = await Promise.all([
      request<FoundPayments>('payments', { query, signal }),
      this.networks.length > 0
        ? { networks: this.networks }
        : request<NetworkList>('networks', { signal }).catch(() => ({ networks: [] })),
      this.tokens.length > 0
        ? { stablecoins: this.tokens.map((symbol) => ({ symbol })) }
        : request<TokenList>('networks/stablecoins', { signal }).catch(() => ({ stablecoins: [] })),
    ])
    this.networks = networks
    this.tokens = [...new Set(stablecoins.map(({ symbol }) => symbol))]
    this.hasChanged = false
    return { ...found, networks, tokens: this.tokens }
  }

  private readonly applyFilters = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    this.show(Object.fromEntries(filterNames.map((name) => [name, String(form.get(name) ?? '').trim()])))
  }

  private show(filters: Filters): void {
    const text = queryText(filters)
    navigate(`/dashboard/payments${text && `?${text}`}`)
  }

  private chooseColumn(id: string, isShown: boolean): void {
    this.visibility = { ...this.visibility, [id]: isShown }
    chooseColumns(this.visibility)
  }

  private renderColumns() {
    return html`
      <details>
        <summary>${t('payments.columns')}</summary>
        <fieldset aria-label=${t('payments.columns')}>
          ${Object.entries(columnLabels).map(([id, label]) =>
            id === 'orderId'
              ? nothing
              : html`
                  <label>
                    <input
                      type="checkbox"
                      .checked=${this.visibility[id] ?? false}
                      @change=${(event: Event) => this.chooseColumn(id, (event.target as HTMLInputElement).checked)}
                    />
                    ${t(label)}
                  </label>
                `,
          )}
        </fieldset>
      </details>
    `
  }

  private renderTable({ payments }: Data) {
    const table = this.table.table({
      features,
      columns,
      data: payments as FoundPayment[],
      getRowId: ({ paymentId }) => paymentId,
      state: { columnVisibility: this.visibility },
      onColumnVisibilityChange: () => {},
    })
    return html`
      <div class="card scroll" role="region" aria-label=${this.heading()} tabindex="0">
        <table>
          <thead>
            ${table.getHeaderGroups().map(
              ({ headers }) => html`
                <tr>
                  ${headers.map(
                    (header) => html`
                      <th scope="col" class=${isMoney(header.column.id) ? 'end' : ''}>${FlexRender({ header })}</th>
                    `,
                  )}
                </tr>
              `,
            )}
          </thead>
          <tbody>
            ${repeat(
              table.getRowModel().rows,
              ({ id }) => id,
              (row) => html`
                <tr>
                  ${row
                    .getVisibleCells()
                    .map(
                      (cell) =>
                        html`<td class=${isMoney(cell.column.id) ? 'end number' : cell.column.id === 'createdAt' ? 'time' : ''}>${FlexRender({ cell })}</td>`,
                    )}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `
  }

  private renderEnd({ payments, next, isCut }: Data) {
    const older = next ? () => this.show({ ...this.filters, after: next }) : null
    return html`
      ${isCut ? html`<p class="small quiet">${t('payments.cut')}</p>` : nothing}
      <div class="row">
        ${
          this.filters.after
            ? html`<wa-button appearance="outlined" @click=${() => this.show({ ...this.filters, after: '' })}>
                ${t('payments.newest')}
              </wa-button>`
            : nothing
        }
        ${
          older
            ? html`<wa-button appearance="outlined" @click=${older}>
                ${isCut && payments.length === 0 ? t('payments.searchOn') : t('payments.older')}
              </wa-button>`
            : nothing
        }
      </div>
    `
  }

  protected renderData(data: Data): unknown {
    const { payments } = data
    const isEmpty = payments.length === 0 && !isFiltered(this.filters) && !this.filters.after
    if (isEmpty) return renderFirstSteps()
    return html`
      ${filterForm({ filters: this.filters, networks: data.networks, tokens: data.tokens, apply: this.applyFilters, clear: () => this.show({}) })}
      ${
        this.hasChanged
          ? html`<wa-callout variant="neutral" role="status">
              ${t('payments.new')}
              <wa-button size="s" appearance="plain" @click=${() => this.show({ ...this.filters, after: '' })}>
                ${t('payments.show')}
              </wa-button>
            </wa-callout>`
          : nothing
      }
      ${
        payments.length === 0
          ? html`<div class="card"><p>${t('payments.none')}</p></div>`
          : html`${this.renderColumns()} ${this.renderTable(data)}`
      }
      ${this.renderEnd(data)}
    `
  }
}

/** The two ways to a first payment. */
function renderFirstSteps() {
  return html`
    <div class="card">
      <p>${t('payments.empty')}</p>
      <div class="row">
        <wa-button size="s" href="/dashboard/links">${t('page.links')}</wa-button>
        <wa-button size="s" appearance="outlined" href="/dashboard/developers">${t('developers.snippet')}</wa-button>
      </div>
    </div>
  `
}
