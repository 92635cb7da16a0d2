import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { type MessageKey, t, tOrNull } from '../locales/locale.ts'
import '../ui/amount-input.ts'
import { type Filters, isFiltered } from '../ui/payment-filters.ts'

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
  ],
} as const

export type ListedNetwork = { shortName: string; name: string }

type FilterForm = {
  filters: Filters
  networks: readonly ListedNetwork[]
  /** Symbols of the service's tokens. */
  tokens: readonly string[]
  apply: (event: SubmitEvent) => void
  clear: () => void
}

/** The search and the filters of payments, filled in with those of the URL. */
export function filterForm({ filters, networks, tokens: symbols, apply, clear }: FilterForm) {
  const labelOf = (value: string) => tOrNull(`outcome.${value}`) ?? tOrNull(`status.${value}`) ?? value
  const { search, ...besideSearch } = filters
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
  return html`
    <form class="card" @submit=${apply}>
      <div class="search">
        <label class="field">
          ${t('payments.search')}
          <input name="search" type="search" maxlength="200" placeholder=${t('payments.search.hint')} .value=${search ?? ''} />
        </label>
        <button type="submit" hidden></button>
        <wa-button type="submit" variant="brand">${t('payments.apply')}</wa-button>
        ${
          isFiltered(filters)
            ? html`<wa-button appearance="plain" @click=${clear}>${t('payments.clear')}</wa-button>`
            : nothing
        }
      </div>
      <details ?open=${isFiltered(besideSearch)}>
        <summary>${t('payments.filters')}</summary>
        <div class="filters">
          ${select('status', 'payments.outcome', statuses)} ${select('attention', 'payments.attention', reasons)}
          ${select('network', 'payments.network', named)} ${select('currency', 'payments.token', tokens)}
          ${dayField('from', 'payments.from', filters)} ${dayField('until', 'payments.until', filters)}
          ${amountField('amountMin', 'payments.amountMin', filters)} ${amountField('amountMax', 'payments.amountMax', filters)}
        </div>
      </details>
    </form>
  `
}

const dayField = (name: 'from' | 'until', label: MessageKey, filters: Filters) => html`
  <label class="field">
    ${t(label)}
    <input name=${name} type="date" autocomplete="off" .value=${filters[name] ?? ''} />
  </label>
`

const amountField = (name: 'amountMin' | 'amountMax', label: MessageKey, filters: Filters) => html`
  <amount-input name=${name} label=${t(label)} value=${filters[name] ?? ''}></amount-input>
`
