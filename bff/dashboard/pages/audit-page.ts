import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { t, tOrNull } from '../locales/locale.ts'
import { subjectText, valueText } from '../parts/audit-values.ts'
import { cutText } from '../ui/cut-text.ts'
import { doerName } from '../ui/doer-name.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'

type Entry = {
  number: number
  at: string
  person: { name: string }
  action: string
  subject: string
  before: string | null
  after: string | null
  outcome: 'done' | 'unchanged' | 'refused' | 'unknown'
  refusal: string | null
  address: string
}
type Person = { id: string; name: string }
type Entries = { entries: Entry[]; next: number | null }
type Data = Entries & { people: readonly Person[] }

/** The pages on which the changes are made. */
const kinds = {
  payments: 'page.payments',
  people: 'page.people',
  developers: 'page.developers',
  settings: 'page.settings',
  tills: 'page.tills',
} as const

const styles = css`
  .list {
    padding: 0;
  }
  ol {
    display: grid;
    gap: 0;
    margin: 0;
    padding: 0 var(--space-5);
    list-style: none;
  }
  li {
    display: grid;
    grid-template-columns: 10rem minmax(0, 1fr);
    gap: var(--space-1) var(--space-4);
    padding-block: var(--space-3);
    border-bottom: 1px solid var(--color-border);
  }
  li:last-child {
    border-bottom: 0;
  }
  .details {
    grid-column: 2;
  }
  .change {
    overflow-wrap: anywhere;
  }
  @media (max-width: 50rem) {
    ol {
      padding-inline: var(--space-4);
    }
    li {
      grid-template-columns: minmax(0, 1fr);
    }
    .details {
      grid-column: 1;
    }
  }
`

/** @summary Changes by people as sentences, newest first; all, or those of one person or kind. */
@customElement('audit-page')
export class AuditPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @state() private person = ''
  @state() private kind = ''
  @state() private moreFault: unknown

  protected heading(): string {
    return t('page.audit')
  }

  private read(before: number | null, signal?: AbortSignal): Promise<Entries> {
    const query = { before, person: this.person || null, kind: this.kind || null }
    return request<Entries>('dashboard/audit', { query, ...(signal && { signal }) })
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [entries, { people }] = await Promise.all([
      this.read(null, signal),
      request<{ people: Person[] }>('dashboard/people', { signal }),
    ])
    return { ...entries, people }
  }

  private async more(data: Data): Promise<void> {
    this.moreFault = undefined
    try {
      const older = await this.read(data.next)
      // Another filter may have been chosen meanwhile.
      if (this.data === data) this.data = { ...data, entries: [...data.entries, ...older.entries], next: older.next }
    } catch (fault) {
      this.moreFault = fault
    }
  }

  private readonly choose = (event: Event): void => {
    const { name, value } = event.target as HTMLSelectElement
    if (name === 'person') this.person = value
    else this.kind = value
    void this.reload()
  }

  private renderFilter({ people }: Data) {
    return html`
      <form class="row" @submit=${(event: Event) => event.preventDefault()}>
        <label class="field">
          ${t('audit.person')}
          <select name="person" @change=${this.choose}>
            <option value="">${t('ops.all')}</option>
            ${people.map(({ id, name }) => html`<option value=${id} ?selected=${id === this.person}>${name}</option>`)}
          </select>
        </label>
        <label class="field">
          ${t('audit.action')}
          <select name="kind" @change=${this.choose}>
            <option value="">${t('ops.all')}</option>
            ${Object.entries(kinds).map(
              ([kind, label]) => html`<option value=${kind} ?selected=${kind === this.kind}>${t(label)}</option>`,
            )}
          </select>
        </label>
      </form>
    `
  }

  private renderEntry({ at, person, action, subject, before, after, outcome, refusal, address }: Entry) {
    const who = html`<strong>${doerName(person.name)}</strong>`
    const isDone = outcome === 'done'
    const textOf = (value: string | null) => (value ? valueText(action, subject, value) : null)
    return html`
      <li>
        <time class="small quiet" datetime=${at}>${formatTime(at)}</time>
        <div>
          ${isDone ? sentence(action, who, renderSubject(action, subject)) : html`${who}: ${tOrNull(`audit.action.${action}`) ?? action}`}
          ${isDone ? nothing : html`<wa-badge variant=${outcome === 'unchanged' ? 'neutral' : 'warning'} appearance="filled-outlined">${t(`audit.outcome.${outcome}`)}</wa-badge>`}
        </div>
        <div class="details small quiet">
          ${renderChange(textOf(before), textOf(after))}
          ${isDone ? nothing : html`<div>${renderSubject(action, subject)} ${refusal}</div>`}
          <div dir="ltr">${address}</div>
        </div>
      </li>
    `
  }

  protected renderData(data: Data): unknown {
    return html`
      ${this.renderFilter(data)}
      ${
        data.entries.length === 0
          ? this.renderEmpty()
          : html`<div class="card list"><ol>${data.entries.map((entry) => this.renderEntry(entry))}</ol></div>`
      }
      ${this.moreFault === undefined ? nothing : faultCallout(this.moreFault, () => void this.more(data))}
      ${
        data.next === null
          ? nothing
          : html`<div><wa-button appearance="outlined" @click=${() => void this.more(data)}>${t('action.more')}</wa-button></div>`
      }
    `
  }
}

/** Omits the old value if there was none. */
function renderChange(before: string | null, after: string | null) {
  if (!before && !after) return nothing
  const from = before ? html`<bdi>${before}</bdi> → ` : nothing
  return html`<div class="change">${from}<bdi>${after || '–'}</bdi></div>`
}

/** Payments link to their page. Long texts are cut in the middle. */
function renderSubject(action: string, subject: string) {
  const text = html`<bdi>${cutText(subjectText(action, subject))}</bdi>`
  return /^(payment|refund)\./.test(action) ? html`<a href="/dashboard/payments/${subject}">${text}</a>` : text
}

/** The sentence with its two parts in their places. An action of a newer service is shown by its code. */
function sentence(action: string, who: unknown, what: unknown) {
  const text = tOrNull(`audit.says.${action}`, '{0}', '{1}') ?? `{0}: ${action} {1}`
  return text.split(/(\{[01]\})/).map((part) => (part === '{0}' ? who : part === '{1}' ? what : part))
}
