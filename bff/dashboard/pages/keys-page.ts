import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { formatTime } from '../ui/format.ts'

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
type NewKey = { key: string; secret: string | null }

/** The kinds offered: an agent's key is an API key with its own scope. */
const choices = ['public', 'test', 'api', 'agent'] as const

const choiceOf = ({ kind, scope }: Key) => (scope === 'agent' ? scope : kind)

/** @summary The merchant's keys: create, rotate with an overlap, revoke, each confirmed by passkey. */
@customElement('keys-page')
export class KeysPage extends ChangingPage<Key[]> {
  @state() private made: NewKey | null = null
  @state() private isForAgent = false

  protected heading(): string {
    return t('page.keys')
  }

  protected async load(signal: AbortSignal): Promise<Key[]> {
    return (await request<{ keys: Key[] }>('dashboard/keys', { signal })).keys
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
        <div class="row"><code>${key}</code><copy-text text=${key} label=${t('keys.key')}></copy-text></div>
        ${
          secret === null
            ? nothing
            : html`
                <div class="row">
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

  protected renderData(keys: Key[]): unknown {
    return html`
      <p>${t('keys.text')} ${t('people.passkey.text')}</p>
      ${this.renderMade()}
      <form class="card row" @submit=${this.make}>
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
                  <td>${row.name === null ? nothing : html`<div dir="auto">${row.name}</div>`}<code>${row.key}</code></td>
                  <td>${t(`keys.kind.${choiceOf(row)}`)} ${row.agentId === null ? nothing : html`<code>${row.agentId}</code>`}</td>
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
