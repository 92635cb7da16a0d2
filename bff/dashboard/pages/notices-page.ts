import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { canPush, subscribeToPush } from '../api/push.ts'
import { currentLanguage, t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import { formatTime } from '../ui/format.ts'

const kinds = ['paid', 'late', 'refund', 'trouble'] as const
type Kind = (typeof kinds)[number]

type ChannelKind = 'push' | 'email' | 'telegram' | 'slack'

type Channel = {
  id: string
  kind: ChannelKind
  label: string
  kinds: Kind[]
  isConfirmed: boolean
  failingSince: string | null
}
type Data = { channels: Channel[]; hasMail: boolean; pushKey: string }

/** The address field of each channel. */
const addresses = {
  email: { name: 'email', type: 'email', placeholder: 'you@example.com' },
  telegram: { name: 'url', type: 'url', placeholder: 'https://api.telegram.org/bot…/sendMessage?chat_id=…' },
  slack: { name: 'url', type: 'url', placeholder: 'https://hooks.slack.com/services/…' },
} as const

/** @summary The notices that a person gets, and their channels. Each person has their own. */
@customElement('notices-page')
export class NoticesPage extends ChangingPage<Data> {
  @state() private adding: keyof typeof addresses | null = null
  @state() private isBlocked = false

  protected heading(): string {
    return t('page.notices')
  }

  protected load(signal: AbortSignal): Promise<Data> {
    return request<Data>('dashboard/notices', { signal })
  }

  private async add(target: object): Promise<void> {
    const body = { ...target, kinds, language: currentLanguage() }
    const isDone = await this.change(
      'add',
      () => requestConfirmed('dashboard/notices', { method: 'POST', body }),
      t('notices.added'),
    )
    if (isDone) this.adding = null
  }

  private async addThisBrowser(pushKey: string): Promise<void> {
    const subscription = await subscribeToPush(pushKey).catch(() => null)
    this.isBlocked = subscription === null
    if (subscription) await this.add({ kind: 'push', subscription })
  }

  private readonly addAddress = (event: SubmitEvent): void => {
    event.preventDefault()
    const kind = this.adding
    if (!kind) return
    const { name } = addresses[kind]
    const value = String(new FormData(event.target as HTMLFormElement).get(name)).trim()
    void this.add({ kind, [name]: value })
  }

  private choose({ id, kinds: chosen }: Channel, kind: Kind, event: Event): void {
    const input = event.target as HTMLInputElement
    const isOn = input.checked
    const next = kinds.filter((one) => (one === kind ? isOn : chosen.includes(one)))
    const body = { kinds: next, language: currentLanguage() }
    void this.change(id, () => request(`dashboard/notices/${id}`, { method: 'PATCH', body })).then((isDone) => {
      if (isDone) return
      input.checked = !isOn
      void this.reload()
    })
  }

  private async removeChannel({ id, label }: Channel): Promise<void> {
    if (!(await confirmed(t('notices.remove'), t('notices.remove.text', label)))) return
    await this.change(id, () => request(`dashboard/notices/${id}`, { method: 'DELETE' }))
  }

  private renderChannel(channel: Channel) {
    const { id, kind, label, kinds: chosen, isConfirmed, failingSince } = channel
    return html`
      <section class="card" aria-labelledby=${id}>
        <div class="row spread">
          <div>
            <h2 id=${id}>${t(`notices.by.${kind}`)}</h2>
            <span class="quiet" dir="auto">${label}</span>
          </div>
          <wa-button size="s" appearance="outlined" ?disabled=${this.isBusy} @click=${() => void this.removeChannel(channel)}>
            ${t('notices.remove')}
          </wa-button>
        </div>
        <div class="stack" role="group" aria-labelledby=${id}>
          ${kinds.map(
            (one) => html`
              <label class="row">
                <input
                  type="checkbox"
                  name=${one}
                  .checked=${chosen.includes(one)}
                  ?disabled=${this.isBusy}
                  @change=${(event: Event) => this.choose(channel, one, event)}
                />
                ${t(`notices.kind.${one}`)}
              </label>
            `,
          )}
        </div>
        ${isConfirmed ? nothing : html`<wa-callout variant="warning">${t('notices.unconfirmed')}</wa-callout>`}
        ${
          failingSince === null
            ? nothing
            : html`<wa-callout variant="warning">${t('notices.failing', formatTime(failingSince))}</wa-callout>`
        }
        ${this.renderResult(id)}
      </section>
    `
  }

  private renderForm(kind: keyof typeof addresses) {
    const { name, type, placeholder } = addresses[kind]
    return html`
      <form class="row" @submit=${this.addAddress}>
        <label class="field">
          ${t(`notices.by.${kind}`)}
          <input name=${name} type=${type} placeholder=${placeholder} required maxlength="300" autocomplete="off" dir="ltr" />
        </label>
        <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('notices.add')}</wa-button>
      </form>
      <p class="small quiet">${t(`notices.how.${kind}`)}</p>
    `
  }

  private renderAdd({ hasMail, pushKey }: Data) {
    const forms = (['email', 'telegram', 'slack'] as const).filter((kind) => kind !== 'email' || hasMail)
    return html`
      <section class="card" aria-labelledby="add">
        <h2 id="add">${t('notices.add')}</h2>
        <div class="row">
          ${
            canPush()
              ? html`
                  <wa-button variant="brand" ?disabled=${this.isBusy} @click=${() => void this.addThisBrowser(pushKey)}>
                    ${t('notices.thisBrowser')}
                  </wa-button>
                `
              : nothing
          }
          ${forms.map(
            (kind) => html`
              <wa-button
                appearance="outlined"
                aria-expanded=${this.adding === kind}
                @click=${() => {
                  this.adding = this.adding === kind ? null : kind
                }}
              >
                ${t(`notices.by.${kind}`)}
              </wa-button>
            `,
          )}
        </div>
        ${hasMail ? nothing : html`<p class="small quiet">${t('notices.noMail')}</p>`}
        ${this.adding ? this.renderForm(this.adding) : nothing}
        ${this.isBlocked ? html`<wa-callout variant="warning" role="alert">${t('notices.blocked')}</wa-callout>` : nothing}
        ${this.renderResult('add')}
      </section>
    `
  }

  protected renderData(data: Data): unknown {
    return html`
      <p>${t('notices.text')}</p>
      ${data.channels.map((channel) => this.renderChannel(channel))} ${this.renderAdd(data)}
    `
  }
}
