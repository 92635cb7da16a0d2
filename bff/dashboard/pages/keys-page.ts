import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'

type KeyKind = 'public' | 'test' | 'api'
type Scope = 'merchant' | 'agent'
type Key = {
  key: string
  kind: KeyKind
  scope: Scope
  agentId: string | null
  name: string | null
  lastUsedAt: string | null
  createdAt: string
  endsAt: string | null
  isGood: boolean
}
type Data = { keys: Key[]; origins: readonly string[] }
type NewKey = { key: string; secret: string | null }

/** The kinds offered: an agent's key is an API key with its own scope. */
const choices = ['public', 'test', 'api', 'agent'] as const

const choiceOf = ({ kind, scope }: Key) => (scope === 'agent' ? scope : kind)

/** Maximum characters of a key shown: its start and end identify it, and the table keeps room for dates and buttons. */
const keyShownMax = 16

const styles = css`
  td .copied code {
    white-space: nowrap;
  }
  td.number {
    white-space: normal;
  }
  @media (min-width: 50.01rem) {
    th,
    td {
      padding-inline: 0.5rem;
    }
    td.kind {
      min-width: 6.5rem;
    }
  }
  button.name {
    min-height: 1.5rem;
    padding: 0;
    font: inherit;
    color: inherit;
    text-align: start;
    background: none;
    border: 0;
    white-space: nowrap;
    cursor: pointer;
  }
  button.name:hover span {
    text-decoration: underline;
  }
`

/** @summary The merchant's keys, and the websites of its public keys: create, rotate with an overlap, revoke, each confirmed by passkey. */
@customElement('keys-page')
export class KeysPage extends ChangingPage<Data> {
  static override styles = [Page.styles, styles]
  @state() private made: NewKey | null = null
  @state() private isForAgent = false
  /** The key whose name is being edited. */
  @state() private renamed: string | null = null

  protected heading(): string {
    return t('page.keys')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [{ keys }, { origins }] = await Promise.all([
      request<{ keys: Key[] }>('dashboard/keys', { signal }),
      request<{ origins: string[] }>('merchants/key-origins', { signal }),
    ])
    return { keys, origins }
  }

  private readonly choose = (event: Event): void => {
    this.isForAgent = (event.target as HTMLSelectElement).value === 'agent'
  }

  private readonly make = (event: SubmitEvent): void => {
    event.preventDefault()
    const given = new FormData(event.target as HTMLFormElement)
    const chosen = given.get('kind')
    const name = String(given.get('name')).trim() || undefined
    const rights =
      chosen === 'agent' ? { kind: 'api', scope: 'agent', agentId: given.get('agentId') } : { kind: chosen }
    const body = { ...rights, name }
    void this.change('new', async () => {
      this.made = await requestConfirmed<NewKey>('dashboard/keys', { method: 'POST', body })
    })
  }

  private readonly saveName = (event: SubmitEvent): void => {
    event.preventDefault()
    const key = this.renamed
    if (key === null) return
    const name = String(new FormData(event.target as HTMLFormElement).get('name')).trim() || null
    void this.change(key, () => requestConfirmed(`dashboard/keys/${key}`, { method: 'PATCH', body: { name } })).then(
      (isDone) => {
        if (isDone) this.renamed = null
      },
    )
  }

  private readonly saveOrigins = (event: SubmitEvent): void => {
    event.preventDefault()
    const text = String(new FormData(event.target as HTMLFormElement).get('origins'))
    const origins = text.split(/\s+/).filter((origin) => origin !== '')
    void this.change(
      'origins',
      () => requestConfirmed('merchants/key-origins', { method: 'PUT', body: { origins } }),
      t('keys.origins.saved'),
    )
  }

  private async rotate(key: string): Promise<void> {
    if (!(await confirmed(t('keys.rotate'), t('keys.rotate.text')))) return
    await this.change(key, async () => {
      this.made = await requestConfirmed<NewKey>(`dashboard/keys/${key}/rotate`, { method: 'POST', body: {} })
    })
  }

  private async revoke(key: string): Promise<void> {
    if (!(await confirmed(t('keys.revoke'), t('keys.revoke.text', key)))) return
    await this.change(key, () => requestConfirmed(`dashboard/keys/${key}`, { method: 'DELETE' }))
  }

  private renderMade() {
    if (!this.made) return nothing
    const { key, secret } = this.made
    return html`
      <section class="card" aria-labelledby="made">
        <h2 id="made">${t('keys.key')}</h2>
        <div class="copied"><code>${key}</code><copy-text text=${key} label=${t('keys.key')}></copy-text></div>
        ${
          secret === null
            ? nothing
            : html`
                <div class="copied">
                  <code data-secret>${secret}</code><copy-text text=${secret} label=${t('keys.secret')}></copy-text>
                </div>
                <p>${t('keys.once')}</p>
              `
        }
      </section>
    `
  }

  private stateOf({ isGood, endsAt }: Key): string {
    if (!isGood) return t('keys.ended')
    return endsAt === null ? t('keys.good') : t('keys.goodUntil', formatTime(endsAt))
  }

  private renderName({ key, name, isGood }: Key) {
    if (this.renamed === key) {
      return html`
        <form class="row" @submit=${this.saveName}>
          <input name="name" aria-label=${t('keys.name')} maxlength="60" autocomplete="off" .value=${name ?? ''} />
          <wa-button type="submit" size="s" variant="brand" ?disabled=${this.isBusy}>${t('action.save')}</wa-button>
          <wa-button
            size="s"
            appearance="outlined"
            @click=${() => {
              this.renamed = null
            }}
          >
            ${t('action.cancel')}
          </wa-button>
        </form>
      `
    }
    if (!isGood) return name === null ? nothing : html`<div dir="auto">${name}</div>`
    const label = t(name === null ? 'keys.nameIt' : 'keys.rename')
    return html`
      <button
        type="button"
        class="name"
        aria-label="${label}: ${name ?? key}"
        @click=${() => {
          this.renamed = key
        }}
      >
        <span dir="auto" class=${name === null ? 'quiet' : ''}>${name ?? label}</span> <wa-icon name="pencil"></wa-icon>
      </button>
    `
  }

  private renderOrigins(origins: readonly string[]) {
    return html`
      <form class="card" aria-labelledby="origins" @submit=${this.saveOrigins}>
        <h2 id="origins">${t('keys.origins')}</h2>
        <p class="small quiet">${t('keys.origins.text')}</p>
        <label class="field">
          ${t('keys.origins.list')}
          <textarea name="origins" rows="3" maxlength="4000" spellcheck="false" dir="ltr" placeholder="https://shop.example" .value=${origins.join('\n')}></textarea>
        </label>
        <div class="row">
          <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('action.save')}</wa-button>
        </div>
        ${this.renderResult('origins')}
      </form>
    `
  }

  protected renderData({ keys, origins }: Data): unknown {
    return html`
      <p>${t('keys.text')} ${t('people.passkey.text')}</p>
      ${this.renderMade()}
      <section class="card" aria-labelledby="make">
        <h2 id="make">${t('keys.make')}</h2>
        <form class="row" @submit=${this.make}>
        <label class="field">
          ${t('keys.name')}<input name="name" maxlength="60" autocomplete="off" />
        </label>
        <label class="field">
          ${t('keys.kind')}
          <select name="kind" @change=${this.choose}>
            ${choices.map((choice) => html`<option value=${choice}>${t(`keys.kind.${choice}`)}</option>`)}
          </select>
        </label>
        ${
          this.isForAgent
            ? html`
                <label class="field">
                  ${t('keys.agent')}
                  <input name="agentId" required maxlength="100" pattern="[A-Za-z0-9_\\-]+" autocomplete="off" />
                </label>
              `
            : nothing
        }
        <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('keys.make')}</wa-button>
        ${this.renderResult('new')}
        </form>
      </section>
      <div class="card scroll" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('keys.key')}</th>
              <th scope="col">${t('keys.kind')}</th>
              <th scope="col">${t('people.since')}</th>
              <th scope="col">${t('keys.used')}</th>
              <th scope="col">${t('keys.state')}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${keys.map(
              (row) => html`
                <tr>
                  <td>${this.renderName(row)}<div class="copied"><code>${cutText(row.key, keyShownMax)}</code><copy-text text=${row.key} label=${t('keys.key')}></copy-text></div></td>
                  <td class="kind">${t(`keys.kind.${choiceOf(row)}`)} ${row.agentId === null ? nothing : html`<code>${row.agentId}</code>`}</td>
                  <td class="number">${formatTime(row.createdAt)}</td>
                  <td class="number">${row.lastUsedAt === null ? t('passkeys.never') : formatTime(row.lastUsedAt)}</td>
                  <td>${this.stateOf(row)}</td>
                  <td class="end">
                    <div class="buttons">${this.renderButtons(row)}</div>
                    ${this.renderResult(row.key)}
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderOrigins(origins)}
    `
  }

  private renderButtons({ key, isGood, endsAt }: Key) {
    if (!isGood) return nothing
    return html`
      ${
        endsAt === null
          ? html`<wa-button size="s" appearance="outlined" @click=${() => void this.rotate(key)}>${t('keys.rotate')}</wa-button>`
          : nothing
      }
      <wa-button size="s" appearance="outlined" variant="danger" @click=${() => void this.revoke(key)}>
        ${t('keys.revoke')}
      </wa-button>
    `
  }
}
