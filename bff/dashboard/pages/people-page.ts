import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { addPasskey, hasPasskey, requestConfirmed } from '../api/confirm.ts'
import { may, type Role } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { doerName } from '../ui/doer-name.ts'
import { formatTime } from '../ui/format.ts'

type Person = { id: string; name: string; role: Role; createdAt: string; seenAt: string | null; isYou: boolean }
type Passkey = { id: string; name: string | null; createdAt: string; lastUsedAt: string | null }
type ListedSession = {
  id: string
  person: { name: string }
  startedAt: string
  endsAt: string
  address: string
  browser: string
  isThis: boolean
}
type Invitation = { id: string; name: string; role: Role; isDemo: boolean; invitedBy: string; endsAt: string }
type Data = {
  people: Person[]
  invitations: Invitation[]
  sessions: ListedSession[]
  passkeys: Passkey[]
  hasPasskey: boolean
}

const roles: readonly Role[] = ['owner', 'staff', 'viewer']

const styles = css`
  ul {
    display: grid;
    gap: 1rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .passkey {
    display: grid;
    gap: 0.25rem;
    flex: 1 1 12rem;
    min-width: 0;
    max-width: 28rem;
  }
`

/** @summary Owners manage people and roles; everybody manages their own sessions and passkeys. */
@customElement('people-page')
export class PeoplePage extends ChangingPage<Data> {
  static override styles = [ChangingPage.styles, styles]
  @state() private link = ''

  protected heading(): string {
    return t('page.people')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [{ people }, { invitations }, { sessions }, isHeld, { passkeys }] = await Promise.all([
      may('get /dashboard/people') ? request<{ people: Person[] }>('dashboard/people', { signal }) : { people: [] },
      may('get /dashboard/people/invitations')
        ? request<{ invitations: Invitation[] }>('dashboard/people/invitations', { signal })
        : { invitations: [] },
      request<{ sessions: ListedSession[] }>('dashboard/sessions', { signal }),
      hasPasskey(signal),
      request<{ passkeys: Passkey[] }>('dashboard/passkeys', { signal }),
    ])
    return { people, invitations, sessions, passkeys, hasPasskey: isHeld }
  }

  private readonly invite = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const body = { name: form.get('name'), role: form.get('role') }
    void this.change('invite', async () => {
      this.link = (
        await requestConfirmed<{ link: string }>('dashboard/people/invitations', { method: 'POST', body })
      ).link
    })
  }

  private setRole({ id, role }: Person, event: Event): void {
    const select = event.target as HTMLSelectElement
    const body = { role: select.value }
    void this.change(id, () => requestConfirmed(`dashboard/people/${id}`, { method: 'PATCH', body })).then((isDone) => {
      if (isDone) return
      // The person has the role of before.
      select.value = role
      void this.reload()
    })
  }

  private async removePerson({ id, name }: Person): Promise<void> {
    if (!(await confirmed(t('people.remove'), t('people.remove.text', name)))) return
    await this.change(id, () => requestConfirmed(`dashboard/people/${id}`, { method: 'DELETE' }))
  }

  private readonly addPasskey = (): void =>
    void this.change('passkey', () => addPasskey(this.data?.hasPasskey === false))

  private renderPeople(people: Person[]) {
    const owners = people.filter(({ role }) => role === 'owner')
    return html`
      <section class="card" aria-labelledby="invite">
        <h2 id="invite">${t('people.invite.title')}</h2>
        <form class="row" @submit=${this.invite}>
          <label class="field">${t('people.name')}<input name="name" required maxlength="100" autocomplete="off" /></label>
          <label class="field">
            ${t('people.role')}
            <select name="role">
              ${roles.toReversed().map((role) => html`<option value=${role}>${t(`role.${role}`)}</option>`)}
            </select>
          </label>
          <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('people.invite')}</wa-button>
        </form>
        ${this.renderResult('invite')}
        ${
          this.link === ''
            ? nothing
            : html`
                <div class="copied">
                  <code data-link>${this.link}</code><copy-text text=${this.link} label=${t('people.invite')}></copy-text>
                </div>
                <p class="small">${t('people.invite.text')}</p>
              `
        }
      </section>
      <section class="card" aria-label=${t('page.people')}>
        <div class="scroll" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">${t('people.name')}</th>
                <th scope="col">${t('people.role')}</th>
                <th scope="col">${t('people.since')}</th>
                <th scope="col">${t('people.seen')}</th>
                <td></td>
              </tr>
            </thead>
            <tbody>
              ${people.map((person) => this.renderPerson(person, owners.length > 1 || person.role !== 'owner'))}
            </tbody>
          </table>
        </div>
        ${people.length === 1 ? html`<p class="quiet">${t('people.alone')}</p>` : nothing}
      </section>
    `
  }

  /** @param mayLeave - False for the last owner, who keeps the role. */
  private renderPerson(person: Person, mayLeave: boolean) {
    return html`
      <tr>
        <td>
          <div>${person.name}${person.isYou ? html` <span class="quiet">(${t('people.you')})</span>` : nothing}</div>
        </td>
        <td>
          <select
            aria-label=${t('people.role')}
            ?disabled=${!mayLeave}
            @change=${(event: Event) => this.setRole(person, event)}
          >
            ${roles.map(
              (role) => html`<option value=${role} .selected=${role === person.role}>${t(`role.${role}`)}</option>`,
            )}
          </select>
        </td>
        <td class="number">${formatTime(person.createdAt)}</td>
        <td class="number">${person.seenAt === null ? '–' : formatTime(person.seenAt)}</td>
        <td class="end">
          ${
            mayLeave
              ? html`
                  <wa-button size="s" appearance="outlined" variant="danger" @click=${() => void this.removePerson(person)}>
                    ${t('people.remove')}
                  </wa-button>
                `
              : nothing
          }
          ${this.renderResult(person.id)}
        </td>
      </tr>
    `
  }

  private renderInvitations(invitations: Invitation[]) {
    if (invitations.length === 0) return nothing
    const takeBack = ({ id }: Invitation) =>
      this.change(id, async () => {
        await request(`dashboard/people/invitations/${id}`, { method: 'DELETE' })
        this.link = ''
      })
    return html`
      <section class="card" aria-labelledby="invitations">
        <h2 id="invitations">${t('invitations.title')}</h2>
        <div class="scroll" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">${t('people.name')}</th>
                <th scope="col">${t('people.role')}</th>
                <th scope="col">${t('invitations.by')}</th>
                <th scope="col">${t('sessions.ends')}</th>
                <td></td>
              </tr>
            </thead>
            <tbody>
              ${invitations.map(
                (one) => html`
                  <tr>
                    <td>
                      <div>
                        ${one.name}${one.isDemo ? html` <span class="quiet">(${t('invitations.demo')})</span>` : nothing}
                      </div>
                    </td>
                    <td>${t(`role.${one.role}`)}</td>
                    <td>${doerName(one.invitedBy)}</td>
                    <td class="number">${formatTime(one.endsAt)}</td>
                    <td class="end">
                      <wa-button size="s" appearance="outlined" @click=${() => void takeBack(one)}>
                        ${t('invitations.takeBack')}
                      </wa-button>
                      ${this.renderResult(one.id)}
                    </td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
      </section>
    `
  }

  private renderSessions(sessions: ListedSession[]) {
    const end = ({ id }: ListedSession) =>
      this.change(id, () => request(`dashboard/sessions/${id}`, { method: 'DELETE' }))
    return html`
      <section class="card" aria-labelledby="sessions">
        <h2 id="sessions">${t('sessions.title')}</h2>
        <div class="scroll" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">${t('people.name')}</th>
                <th scope="col">${t('sessions.started')}</th>
                <th scope="col">${t('sessions.ends')}</th>
                <th scope="col">${t('sessions.address')}</th>
                <th scope="col">${t('sessions.browser')}</th>
                <td></td>
              </tr>
            </thead>
            <tbody>
              ${sessions.map(
                (one) => html`
                  <tr>
                    <td>
                      <div>
                        ${one.person.name}${one.isThis ? html` <span class="quiet">(${t('sessions.this')})</span>` : nothing}
                      </div>
                    </td>
                    <td class="number">${formatTime(one.startedAt)}</td>
                    <td class="number">${formatTime(one.endsAt)}</td>
                    <td>${one.address}</td>
                    <td>${browserOf(one.browser)}</td>
                    <td class="end">
                      <wa-button size="s" appearance="outlined" @click=${() => void end(one)}>${t('sessions.end')}</wa-button>
                      ${this.renderResult(one.id)}
                    </td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
      </section>
    `
  }

  private namePasskey({ id }: Passkey, event: Event): void {
    const name = (event.target as HTMLInputElement).value.trim()
    if (name === '') return
    void this.change(id, () => request(`dashboard/passkeys/${id}`, { method: 'PATCH', body: { name } }))
  }

  private async removePasskey({ id, name }: Passkey): Promise<void> {
    const shown = name ?? t('passkeys.unnamed')
    if (!(await confirmed(t('passkeys.remove'), t('passkeys.remove.text', shown)))) return
    await this.change(id, () => requestConfirmed(`dashboard/passkeys/${id}`, { method: 'DELETE' }))
  }

  private renderPasskeys(passkeys: Passkey[]) {
    return html`
      <section class="card" aria-labelledby="passkeys">
        <h2 id="passkeys">${t('passkeys.title')}</h2>
        <ul>
          ${passkeys.map(
            (one) => html`
              <li class="row spread">
                <div class="passkey">
                  <input
                    aria-label=${t('passkeys.name')}
                    placeholder=${t('passkeys.unnamed')}
                    .value=${one.name ?? ''}
                    maxlength="60"
                    autocomplete="off"
                    @change=${(event: Event) => this.namePasskey(one, event)}
                  />
                  <span class="small quiet">
                    ${t('passkeys.added', formatTime(one.createdAt))} ·
                    ${one.lastUsedAt === null ? t('passkeys.never') : t('passkeys.used', formatTime(one.lastUsedAt))}
                  </span>
                </div>
                ${
                  passkeys.length > 1
                    ? html`
                        <wa-button size="s" appearance="outlined" variant="danger" @click=${() => void this.removePasskey(one)}>
                          ${t('passkeys.remove')}
                        </wa-button>
                      `
                    : nothing
                }
                ${this.renderResult(one.id)}
              </li>
            `,
          )}
        </ul>
        <p>${t('passkey.add.text')}</p>
        <div>
          <wa-button appearance="outlined" ?disabled=${this.isBusy} @click=${this.addPasskey}>${t('passkey.add')}</wa-button>
        </div>
        ${this.renderResult('passkey')}
      </section>
    `
  }

  protected renderData({ people, invitations, sessions, passkeys }: Data): unknown {
    return html`
      ${may('get /dashboard/people') ? this.renderPeople(people) : nothing} ${this.renderInvitations(invitations)}
      ${this.renderPasskeys(passkeys)} ${this.renderSessions(sessions)}
    `
  }
}

/** The browser's name from its user agent, which also contains the names of browsers it is compatible with. */
function browserOf(userAgent: string): string {
  return /(Firefox|Edg|OPR|Chrome|Safari)\/\d+/.exec(userAgent)?.[0]?.replace('/', ' ') ?? userAgent.slice(0, 30)
}
