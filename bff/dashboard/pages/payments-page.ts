import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { FlexRender, TableController } from '@tanstack/lit-table'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { FoundPayments } from '../../src/api-types.ts'
import { queryText, request } from '../api/client.ts'
import { type ListedNetwork, loadNetworks } from '../api/networks.ts'
import { signedInPerson } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { filterForm, filterStyles } from '../parts/payment-filter-form.ts'
import { saveFile } from '../ui/csv.ts'
import { emptyState } from '../ui/empty-state.ts'
import { formatCount } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { navigate, navigatedEvent } from '../ui/navigate.ts'
import { Page } from '../ui/page.ts'
import {
  chooseColumns,
  chosenColumns,
  columnLabels,
  columnsOf,
  type FoundPayment,
  features,
  isMoney,
} from '../ui/payment-columns.ts'
import { ChipCounts } from '../ui/payment-counts.ts'
import { csvOf, readForExport } from '../ui/payment-export.ts'
import { type Filters, filterNames, isFiltered, parseFilters, queryOf } from '../ui/payment-filters.ts'
import { paymentsStyles } from '../ui/payments-styles.ts'
import { loadSavedFilters, removeFilter, type SavedFilter, saveFilter } from '../ui/saved-filters.ts'
import { searchTextOf } from '../ui/search-text.ts'

const rowsOfPage = 50

type TokenList = { stablecoins: readonly { symbol: string }[] }

type Data = FoundPayments & { networks: readonly ListedNetwork[]; tokens: readonly string[] }

/** Typing pauses for so long before the search begins: no request for each letter. */
const pauseMs = 250

/** @summary The shop's payments, newest first: filters in the URL, selectable columns, live changes. */
@customElement('payments-page')
export class PaymentsPage extends Page<Data> {
  static override styles = [Page.styles, filterStyles, paymentsStyles]
  @state() private visibility = chosenColumns()
  @state() private hasChanged = false
  private readonly table = new TableController<typeof features, FoundPayment>(this)
  @state() private saved: readonly SavedFilter[] = loadSavedFilters(signedInPerson())
  @state() private isExporting = false
  @state() private note = ''
  private tokens: readonly string[] = []
  private readonly chips = new ChipCounts(this)
  private pause: ReturnType<typeof setTimeout> | undefined

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
    clearTimeout(this.pause)
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
    else {
      void this.chips.refresh()
      if (!isFirst) this.hasChanged = true
    }
  }

  protected heading(): string {
    return t('page.payments')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const query = { ...queryOf(this.filters), limit: rowsOfPage }
    // The list does not wait for the numbers.
    void this.chips.refresh()
    const [found, networks, { stablecoins }] = await Promise.all([
      request<FoundPayments>('payments', { query, signal }),
      loadNetworks(signal),
      this.tokens.length > 0
        ? { stablecoins: this.tokens.map((symbol) => ({ symbol })) }
        : request<TokenList>('networks/stablecoins', { signal }).catch(() => ({ stablecoins: [] })),
    ])
    this.tokens = [...new Set(stablecoins.map(({ symbol }) => symbol))]
    this.hasChanged = false
    return { ...found, networks, tokens: this.tokens }
  }

  private readonly applyFilters = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const { search, kind } = this.filters
    const fields = Object.fromEntries(filterNames.map((name) => [name, String(form.get(name) ?? '').trim()]))
    this.show({ ...fields, ...(search && { search }), ...(kind && { kind }) })
  }

  private show(filters: Filters, { replace = false } = {}): void {
    clearTimeout(this.pause)
    this.note = ''
    const text = queryText(filters)
    navigate(`/dashboard/payments${text && `?${text}`}`, { replace })
  }

  /** One entry of the browser's history for a whole search, however it was typed. */
  private readonly search = (typed: string): void => {
    clearTimeout(this.pause)
    this.pause = setTimeout(() => {
      const { after: _, ...filters } = this.filters
      this.show({ ...filters, search: searchTextOf(typed) }, { replace: Boolean(filters.search) })
    }, pauseMs)
  }

  private readonly save = (name: string): void => {
    this.saved = saveFilter(signedInPerson(), { name, filters: this.filters })
  }

  private readonly unsave = (name: string): void => {
    this.saved = removeFilter(signedInPerson(), name)
  }

  private async export(format: 'csv' | 'json'): Promise<void> {
    if (this.isExporting) return
    this.isExporting = true
    this.note = ''
    try {
      const { after: _, ...filters } = this.filters
      const { payments, isCut } = await readForExport(queryOf(filters))
      const name = `payments-${new Date().toISOString().slice(0, 10)}.${format}`
      if (format === 'csv') saveFile(name, 'text/csv', csvOf(payments))
      else saveFile(name, 'application/json', JSON.stringify(payments, null, 2))
      if (isCut) this.note = t('payments.exportCut', formatCount(payments.length))
      this.fault = undefined
    } catch (fault) {
      this.fault = fault
    }
    this.isExporting = false
  }

  protected override renderActions(): unknown {
    const button = (format: 'csv' | 'json') => html`
      <wa-button
        size="s"
        appearance="outlined"
        ?disabled=${this.isExporting}
        @click=${() => void this.export(format)}
      >
        <wa-icon slot="start" name="download"></wa-icon>
        <span class="visually-hidden">${t(`reports.${format}`)}</span><span aria-hidden="true">${format.toUpperCase()}</span>
      </wa-button>
    `
    return html`${button('csv')} ${button('json')}`
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

  private renderTable({ payments, networks }: Data) {
    const table = this.table.table({
      features,
      columns: columnsOf(networks),
      data: payments as FoundPayment[],
      getRowId: ({ paymentId }) => paymentId,
      state: { columnVisibility: this.visibility },
      onColumnVisibilityChange: () => {},
    })
    return html`
      <div class="card scroll list" role="region" aria-label=${this.heading()} tabindex="0">
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
                        html`<td class="${cell.column.id} ${isMoney(cell.column.id) ? 'end number' : ''}">${FlexRender({ cell })}</td>`,
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
      ${filterForm({
        filters: this.filters,
        networks: data.networks,
        tokens: data.tokens,
        saved: this.saved,
        counts: this.chips.counts,
        show: (filters) => this.show(filters),
        search: this.search,
        apply: this.applyFilters,
        save: this.save,
        remove: this.unsave,
        columns: payments.length === 0 ? nothing : this.renderColumns(),
      })}
      ${this.note ? html`<wa-callout variant="neutral" role="status">${this.note}</wa-callout>` : nothing}
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
      ${payments.length === 0 ? html`<div class="card"><p>${t('payments.none')}</p></div>` : this.renderTable(data)}
      ${this.renderEnd(data)}
    `
  }
}

/** The two ways to a first payment. */
function renderFirstSteps() {
  const steps = html`
    <div class="row">
      <wa-button variant="brand" href="/dashboard/links">${t('page.links')}</wa-button>
      <wa-button appearance="outlined" href="/dashboard/developers">${t('developers.snippet')}</wa-button>
    </div>
  `
  return emptyState('payments', t('payments.empty'), steps)
}
