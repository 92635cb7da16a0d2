import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, nothing } from 'lit'
import type { PaymentCounts } from '../../src/api-types.ts'
import type { ListedNetwork } from '../api/networks.ts'
import { type MessageKey, t, tOrNull } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import { chipCount } from '../ui/payment-counts.ts'
import { type Filters, isFiltered } from '../ui/payment-filters.ts'
import { nameMax, type SavedFilter } from '../ui/saved-filters.ts'

const choices = {
  status: ['paid', 'pending', 'failed', 'swept', 'sweeping', 'sweep_failed', 'expired', 'cancelled'],
  attention: [
    'payout_failed',
    'refund_failed',
    'late_held',
    'refund_address',
    'return_failed',
    'unmatched',
    'merchant_refund',
    'excess_owed',
  ],
} as const

/** What shops ask for every day, by one tap. */
const chips: readonly {
  label: MessageKey
  count: keyof PaymentCounts
  filters: Pick<Filters, 'status' | 'kind'>
}[] = [
  { label: 'ops.all', count: 'all', filters: {} },
  { label: 'outcome.paid', count: 'paid', filters: { status: 'paid' } },
  { label: 'outcome.partly', count: 'partly_paid', filters: { kind: 'partly_paid' } },
  { label: 'kind.overpaid', count: 'overpaid', filters: { kind: 'overpaid' } },
  { label: 'kind.late', count: 'late', filters: { kind: 'late' } },
  { label: 'payments.refunded', count: 'refunded', filters: { kind: 'refunded' } },
  { label: 'payments.attention', count: 'to_do', filters: { kind: 'to_do' } },
]

export const filterStyles = css`
  .search-field {
    position: relative;
  }
  .search-field input {
    width: 100%;
    padding-inline-start: 2.5rem;
  }
  .search-field wa-icon {
    position: absolute;
    inset-block: 0;
    inset-inline-start: var(--space-3);
    margin: auto 0;
    color: var(--color-muted);
    pointer-events: none;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .chip {
    min-height: 2rem;
    padding: 0 var(--space-3);
    font: 500 var(--text-s) / 1.2 var(--font);
    color: var(--color-text);
    cursor: pointer;
    background: var(--color-surface);
    border: 1px solid var(--color-border);
    border-radius: 99px;
  }
  .chip:hover {
    border-color: var(--color-control);
  }
  .chip[aria-pressed='true'] {
    color: var(--color-accent);
    background: var(--color-accent-quiet);
    border-color: var(--color-accent);
  }
  .count {
    margin-inline-start: var(--space-1);
    font-weight: 400;
    font-variant-numeric: tabular-nums;
    color: var(--color-muted);
  }
  .chip[aria-pressed='true'] .count {
    color: inherit;
  }
  .chip.saved {
    border-style: dashed;
    border-color: var(--color-control);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-5);
    align-items: center;
  }
  .tools details[open] {
    flex: 1 0 100%;
    padding: var(--space-4);
    background: var(--color-surface);
    border: 1px solid var(--color-border);
    border-radius: var(--radius-m);
  }
  .saved-chip {
    display: inline-flex;
    align-items: center;
  }
  .remove {
    display: grid;
    place-items: center;
    width: 2rem;
    height: 2rem;
    color: var(--color-muted);
    cursor: pointer;
    background: none;
    border: 0;
  }
  .tools .row {
    padding-top: var(--space-3);
  }
  .filters {
    display: grid;
    gap: var(--space-3);
    padding-block: var(--space-3);
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr));
  }
  @media (max-width: 50rem) {
    .chips {
      flex-wrap: nowrap;
      margin-inline: calc(-1 * var(--space-4));
      padding: 2px var(--space-4);
      overflow-x: auto;
    }
    .chip {
      flex: none;
      min-height: 2.5rem;
    }
  }
`

type FilterForm = {
  /** The choice of columns, beside the filters. */
  columns: unknown
  filters: Filters
  networks: readonly ListedNetwork[]
  /** Symbols of the service's tokens. */
  tokens: readonly string[]
  saved: readonly SavedFilter[]
  /** Null: not known. */
  counts: PaymentCounts | null
  /** Shows the payments of these filters. */
  show: (filters: Filters) => void
  /** Searches for the typed text, when the typing pauses. */
  search: (text: string) => void
  apply: (event: SubmitEvent) => void
  save: (name: string) => void
  remove: (name: string) => void
}

/** The search, the chips and the filters of payments, filled from the URL. */
export function filterForm(form: FilterForm) {
  const { filters, show, search, counts } = form
  const { search: searched = '', status, kind, attention, after: _, ...others } = filters
  const isChip = (chip: Filters) =>
    chip.status === status && chip.kind === kind && (attention === undefined || chip.kind !== undefined)
  // With a search or another filter a chip holds fewer than are counted.
  const isCounted = counts !== null && searched === '' && !isFiltered(others)
  return html`
    <div class="search-field">
      <wa-icon name="magnifying-glass"></wa-icon>
      <input
        type="search"
        maxlength="200"
        autocomplete="off"
        spellcheck="false"
        aria-label=${t('payments.search')}
        placeholder=${t('payments.search.hint')}
        .value=${searched}
        @input=${(event: Event) => search((event.target as HTMLInputElement).value)}
      />
    </div>
    <div class="chips" role="group" aria-label=${t('payments.outcome')}>
      ${chips.map(
        ({ label, count, filters: chip }) => html`
          <button
            type="button"
            class="chip"
            aria-pressed=${isChip(chip)}
            @click=${() => show({ ...others, ...(searched && { search: searched }), ...chip })}
          >
            ${t(label)}${isCounted ? html` <span class="count">${chipCount(counts[count])}</span>` : nothing}
          </button>
        `,
      )}
      ${form.saved.map((saved) => savedChip(saved, form))}
    </div>
    <div class="tools">${form.columns} ${renderFilters(form)}</div>
  `
}

const isSame = (one: Filters, other: Filters): boolean => {
  const sorted = ({ after: _, ...rest }: Filters) => JSON.stringify(Object.entries(rest).sort())
  return sorted(one) === sorted(other)
}

const savedChip = ({ name, filters: chip }: SavedFilter, { filters, show, remove }: FilterForm) => html`
  <span class="saved-chip">
    <button type="button" class="chip saved" aria-pressed=${isSame(chip, filters)} @click=${() => show(chip)}>${name}</button>
    <button
      type="button"
      class="remove"
      title=${t('payments.unsave', name)}
      aria-label=${t('payments.unsave', name)}
      @click=${() => remove(name)}
    >
      <wa-icon name="xmark"></wa-icon>
    </button>
  </span>
`

function renderFilters({ filters, networks, tokens: symbols, saved, show, apply, save }: FilterForm) {
  const labelOf = (value: string) => tOrNull(`outcome.${value}`) ?? tOrNull(`status.${value}`) ?? value
  const { search: _, kind: __, ...besideSearch } = filters
  const select = (
    name: 'status' | 'currency' | 'attention' | 'network',
    label: MessageKey,
    options: string[][],
  ) => html`
    <label class="field">
      ${t(label)}
      <select name=${name}>
        <option value="">${t('payments.any')}</option>
        ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === filters[name]}>${text}</option>`)}
      </select>
    </label>
  `
  const statuses = choices.status.map((one) => [one, labelOf(one)])
  const reasons = choices.attention.map((one) => [one, t(`attention.${one}`)])
  const named = networks.map(({ shortName, name }) => [shortName, name])
  const tokens = symbols.map((one) => [one, one])
  const isUnsaved = isFiltered(filters) && !saved.some((one) => isSame(one.filters, filters))
  return html`
    <details ?open=${isFiltered(besideSearch) && besideSearch.status !== 'paid'}>
      <summary>${t('payments.filters')}</summary>
      <form @submit=${apply}>
        <div class="filters">
          ${select('status', 'payments.outcome', statuses)} ${select('attention', 'payments.attention', reasons)}
          ${select('network', 'payments.network', named)} ${select('currency', 'payments.token', tokens)}
          ${dayField('from', 'payments.from', filters)} ${dayField('until', 'payments.until', filters)}
          ${amountField('amountMin', 'payments.amountMin', filters)} ${amountField('amountMax', 'payments.amountMax', filters)}
        </div>
        <button type="submit" hidden></button>
        <div class="row">
          <wa-button type="submit" variant="brand" size="s">${t('payments.apply')}</wa-button>
        </div>
      </form>
    </details>
    ${
      isUnsaved
        ? html`<details>
            <summary>${t('payments.save')}</summary>
            ${saveForm(save)}
          </details>`
        : nothing
    }
    ${
      isFiltered(filters)
        ? html`<wa-button appearance="plain" size="s" @click=${() => show({})}>${t('payments.clear')}</wa-button>`
        : nothing
    }
  `
}

const saveForm = (save: (name: string) => void) => html`
  <form
    class="row"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      const form = event.target as HTMLFormElement
      const name = String(new FormData(form).get('name')).trim()
      form.reset()
      if (name) save(name)
    }}
  >
    <label class="field">
      ${t('payments.saveName')}<input name="name" required maxlength=${nameMax} autocomplete="off" />
    </label>
    <wa-button type="submit" size="s" appearance="outlined">${t('action.save')}</wa-button>
    <span class="small quiet">${t('payments.saveNote')}</span>
  </form>
`

const dayField = (name: 'from' | 'until', label: MessageKey, filters: Filters) => html`
  <label class="field">
    ${t(label)}
    <input name=${name} type="date" autocomplete="off" .value=${filters[name] ?? ''} />
  </label>
`

const amountField = (name: 'amountMin' | 'amountMax', label: MessageKey, filters: Filters) => html`
  <amount-input name=${name} label=${t(label)} value=${filters[name] ?? ''}></amount-input>
`
