import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { t, tOrNull } from '../locales/locale.ts'
import { doerName } from '../ui/doer-name.ts'
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
type Entries = { entries: Entry[]; next: number | null }

/** @summary Changes by people, newest first. */
@customElement('audit-page')
export class AuditPage extends Page<Entries> {
  protected heading(): string {
    return t('page.audit')
  }

  protected load(signal: AbortSignal): Promise<Entries> {
    return request<Entries>('dashboard/audit', { signal })
  }

  protected override isEmpty({ entries }: Entries): boolean {
    return entries.length === 0
  }

  private async more({ entries, next }: Entries): Promise<void> {
    const older = await request<Entries>('dashboard/audit', { query: { before: next } })
    this.data = { entries: [...entries, ...older.entries], next: older.next }
  }

  protected renderData(data: Entries): unknown {
    return html`
      <div class="card scroll" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('audit.at')}</th>
              <th scope="col">${t('audit.person')}</th>
              <th scope="col">${t('audit.action')}</th>
              <th scope="col">${t('audit.subject')}</th>
              <th scope="col">${t('audit.change')}</th>
              <th scope="col">${t('audit.outcome')}</th>
              <th scope="col">${t('sessions.address')}</th>
            </tr>
          </thead>
          <tbody>
            ${data.entries.map(
              ({ at, person, action, subject, before, after, outcome, refusal, address }) => html`
                <tr>
                  <td class="number">${formatTime(at)}</td>
                  <td>${doerName(person.name)}</td>
                  <td>
                    <div>${tOrNull(`audit.action.${action}`)}</div>
                    <code>${action}</code>
                  </td>
                  <td><code>${subject}</code></td>
                  <td>${before === null && after === null ? nothing : html`<bdi dir="ltr">${before ?? '–'} → ${after ?? '–'}</bdi>`}</td>
                  <td>
                    ${t(`audit.outcome.${outcome}`)}
                    ${refusal === null ? nothing : html`<div><code>${refusal}</code></div>`}
                  </td>
                  <td>${address}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      ${
        data.next === null
          ? nothing
          : html`<div><wa-button appearance="outlined" @click=${() => void this.more(data)}>${t('action.more')}</wa-button></div>`
      }
    `
  }
}
