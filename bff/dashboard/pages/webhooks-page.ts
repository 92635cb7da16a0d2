import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { WebhookDeliveries, WebhookEndpoints } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { isTestMode } from '../api/mode.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { type Delivery, deliveryTable } from '../parts/delivery-table.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { localMinute } from '../ui/days.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'

const pageRows = 20

/** Calls per replay, of up to 500 deliveries each; the rest needs another click. */
const replayCallsMax = 20

type Endpoint = WebhookEndpoints['endpoints'][number]
type WebhooksData = { endpoints: Endpoint[]; deliveries: Delivery[]; next: string | null }
type Filters = { state: string; endpointId: string; paymentId: string; type: string; since: string }

const noFilters: Filters = { state: '', endpointId: '', paymentId: '', type: '', since: '' }

/** @summary Webhook endpoints and their deliveries. */
@customElement('webhooks-page')
export class WebhooksPage extends Page<WebhooksData> {
  private readonly isTest = isTestMode()
  @state() private filters = noFilters
  @state() private more: Delivery[] = []
  @state() private next: string | null = null
  /** Shown once, until the page is left. */
  @state() private secret: { url: string; secret: string } | null = null
  @state() private notice = ''
  /** The place of the pressed button, such as an endpoint's id, where the result is shown. */
  @state() private actedAt = ''
  @state() private refusal: unknown
  @state() private isBusy = false

  protected heading(): string {
    return t('page.webhooks')
  }

  protected async load(signal: AbortSignal): Promise<WebhooksData> {
    const [{ endpoints }, page] = await Promise.all([
      request<WebhookEndpoints>('webhooks/endpoints', { signal }),
      this.loadDeliveries(null, signal),
    ])
    this.more = []
    this.next = page.next
    return { endpoints: endpoints.filter((one) => one.isTest === this.isTest), ...page }
  }

  /** On a phone the buttons that show a secret may be far below it. */
  private async showSecret(url: string, secret: string): Promise<void> {
    this.secret = { url, secret }
    await this.updateComplete
    this.renderRoot.querySelector('#secret')?.scrollIntoView({ block: 'center' })
  }

  private loadDeliveries(before: string | null, signal?: AbortSignal): Promise<WebhookDeliveries> {
    const { since, ...filters } = this.filters
    const query = {
      ...filters,
      isTest: this.isTest,
      since: since === '' ? null : new Date(since).toISOString(),
      before,
      limit: pageRows,
    }
    return request<WebhookDeliveries>('webhooks/deliveries', { query, ...(signal && { signal }) })
  }

  /** Runs a button's action, shows a refusal, and reloads the page's data. */
  private async act(place: string, work: () => Promise<string | undefined>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.actedAt = place
    this.refusal = undefined
    this.notice = ''
    try {
      this.notice = (await work()) ?? ''
      await this.reload()
    } catch (fault) {
      this.refusal = fault
    }
    this.isBusy = false
  }

  protected renderData({ endpoints, deliveries }: WebhooksData): unknown {
    return html`
      ${this.secret ? this.renderSecret(this.secret) : nothing}
      <section class="card">
        <h2>${t('webhooks.endpoints')}</h2>
        ${endpoints.length === 0 ? html`<p>${t('webhooks.none')}</p>` : endpoints.map((one) => this.renderEndpoint(one))}
        ${may('post /webhooks/endpoints') ? this.renderNew() : nothing}
      </section>
      <section class="card">
        <h2>${t('webhooks.deliveries')}</h2>
        ${this.renderFilters(endpoints)} ${this.renderOutcome('deliveries')} ${this.renderDeliveries([...deliveries, ...this.more])}
        ${
          this.next === null
            ? nothing
            : html`<wa-button appearance="outlined" size="s" @click=${this.loadMore}>${t('action.more')}</wa-button>`
        }
      </section>
      ${may('post /webhooks/replay') ? this.renderReplay(endpoints) : nothing}
    `
  }

  private renderOutcome(place: string) {
    const isHere = this.actedAt === place
    return html`
      ${isHere && this.refusal !== undefined ? faultCallout(this.refusal) : nothing}
      <div role="status">
        ${isHere && this.notice !== '' ? html`<wa-callout variant="success">${this.notice}</wa-callout>` : nothing}
      </div>
    `
  }

  private renderSecret({ url, secret }: { url: string; secret: string }) {
    return html`
      <wa-callout variant="warning" role="status" id="secret">
        <strong>${t('webhooks.secretOnce', url)}</strong>
        <div class="copied">
          <code dir="ltr">${secret}</code><copy-text text=${secret} label=${t('webhooks.secretOnce', url)}></copy-text>
        </div>
      </wa-callout>
    `
  }

  private renderEndpoint(endpoint: Endpoint) {
    const { id, url, enabled, disabledReason, eventTypes, description } = endpoint
    const path = `webhooks/endpoints/${id}`
    const test = () =>
      this.act(id, () => request(`${path}/test`, { method: 'POST' }).then(() => t('webhooks.testSent')))
    const toggle = () =>
      this.act(id, () => requestConfirmed(path, { method: 'PATCH', body: { enabled: !enabled } }).then(() => undefined))
    const remove = async () => {
      if (!(await confirmed(t('webhooks.remove'), t('webhooks.removeAsk', url)))) return
      await this.act(id, () => requestConfirmed(path, { method: 'DELETE' }).then(() => undefined))
    }
    const rotate = () =>
      this.act(id, async () => {
        const { secret } = await requestConfirmed<{ secret: string }>(`${path}/rotate-secret`, {
          method: 'POST',
          body: {},
        })
        await this.showSecret(url, secret)
        return undefined
      })
    const state = enabled ? t('webhooks.enabled') : t(`webhooks.off.${disabledReason ?? 'merchant'}`)
    const button = (label: string, action: () => unknown) =>
      html`<wa-button size="s" appearance="outlined" ?disabled=${this.isBusy} @click=${action}>${label}</wa-button>`
    return html`
      <div class="card">
        <h3><code>${url}</code></h3>
        <p class="quiet small">
          ${state} · ${eventTypes === null ? t('webhooks.allEvents') : eventTypes.join(', ')} ${description === '' ? '' : `· ${description}`}
          ${endpoint.failingSince ? html`· ${t('webhooks.failingSince', formatTime(endpoint.failingSince))}` : nothing}
          ${
            endpoint.previousSecretExpiresAt
              ? html`· ${t('webhooks.previousUntil', formatTime(endpoint.previousSecretExpiresAt))}`
              : nothing
          }
        </p>
        <div class="row">
          ${may('post /webhooks/endpoints/{endpointId}/test') && enabled ? button(t('webhooks.test'), test) : nothing}
          ${
            may('patch /webhooks/endpoints/{endpointId}')
              ? [
                  button(enabled ? t('webhooks.disable') : t('webhooks.enable'), toggle),
                  button(t('webhooks.rotate'), rotate),
                  button(t('webhooks.remove'), remove),
                ]
              : nothing
          }
        </div>
        ${this.renderOutcome(id)}
      </div>
    `
  }

  private renderNew() {
    const submit = (event: SubmitEvent) => {
      event.preventDefault()
      const form = event.target as HTMLFormElement
      const url = String(new FormData(form).get('url') ?? '')
      void this.act('new', async () => {
        const body = { url, isTest: this.isTest }
        const { secret } = await requestConfirmed<{ secret: string }>('webhooks/endpoints', { method: 'POST', body })
        await this.showSecret(url, secret)
        form.reset()
        return undefined
      })
    }
    return html`
      <form class="row" @submit=${submit}>
        <label class="field">
          ${t('webhooks.newUrl')}
          <input name="url" type="url" required maxlength="2048" placeholder="https://shop.example/webhooks" />
        </label>
        <wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('webhooks.add')}</wa-button>
      </form>
      ${this.renderOutcome('new')}
    `
  }

  private renderFilters(endpoints: readonly Endpoint[]) {
    const change = (name: keyof Filters) => (event: Event) => {
      this.filters = { ...this.filters, [name]: (event.target as HTMLInputElement).value.trim() }
      void this.reload()
    }
    const { filters } = this
    return html`
      <details ?open=${Object.values(filters).some((one) => one !== '')}>
        <summary>${t('payments.filters')}</summary>
        <div class="row">
          <label class="field">
            ${t('webhooks.state')}
            <select @change=${change('state')}>
              <option value="">${t('ops.all')}</option>
              ${(['due', 'delivered', 'failed'] as const).map(
                (one) =>
                  html`<option value=${one} ?selected=${filters.state === one}>${t(`webhooks.state.${one}`)}</option>`,
              )}
            </select>
          </label>
          <label class="field">
            ${t('webhooks.endpoint')}
            <select @change=${change('endpointId')}>
              <option value="">${t('ops.all')}</option>
              ${endpoints.map(
                ({ id, url }) => html`<option value=${id} ?selected=${filters.endpointId === id}>${url}</option>`,
              )}
            </select>
          </label>
          <label class="field">
            ${t('webhooks.type')}
            <input .value=${filters.type} maxlength="50" placeholder="payment.completed" @change=${change('type')} />
          </label>
          <label class="field">
            ${t('page.payment')}
            <input .value=${filters.paymentId} maxlength="36" @change=${change('paymentId')} />
          </label>
          <label class="field">
            ${t('webhooks.since')}
            <input type="datetime-local" .value=${filters.since} @change=${change('since')} />
          </label>
        </div>
      </details>
    `
  }

  private readonly loadMore = () => {
    const before = this.next
    return this.loadDeliveries(before).then(
      ({ deliveries, next }) => {
        // A second press, or other filters, have changed the list.
        if (before !== this.next) return
        this.more = [...this.more, ...deliveries]
        this.next = next
      },
      (fault: unknown) => {
        this.actedAt = 'deliveries'
        this.refusal = fault
      },
    )
  }

  private renderDeliveries(deliveries: readonly Delivery[]) {
    if (deliveries.length === 0) return this.next === null ? html`<p>${t('webhooks.noDeliveries')}</p>` : nothing
    const redeliver = (id: string) =>
      this.act('deliveries', () =>
        request(`webhooks/deliveries/${id}/redeliver`, { method: 'POST' }).then(() => t('webhooks.isDue')),
      )
    return deliveryTable(deliveries, { isBusy: this.isBusy, redeliver })
  }

  private renderReplay(endpoints: readonly Endpoint[]) {
    const submit = (event: SubmitEvent) => {
      event.preventDefault()
      const fields = new FormData(event.target as HTMLFormElement)
      const endpointId = String(fields.get('endpoint') ?? '')
      const order = {
        since: new Date(String(fields.get('since'))).toISOString(),
        isTest: this.isTest,
        ...(endpointId !== '' && { endpointId }),
        ...(fields.get('all') === null && { only: 'undelivered' }),
      }
      void this.act('replay', () => replayAll(order))
    }
    return html`
      <section class="card">
        <h2>${t('webhooks.replay')}</h2>
        <p class="quiet small">${t('webhooks.replayNote')}</p>
        <form class="row" @submit=${submit}>
          <label class="field">
            ${t('webhooks.since')}<input name="since" type="datetime-local" required @focus=${endNow} />
          </label>
          <label class="field">
            ${t('webhooks.endpoint')}
            <select name="endpoint">
              <option value="">${t('ops.all')}</option>
              ${endpoints.filter(({ enabled }) => enabled).map(({ id, url }) => html`<option value=${id}>${url}</option>`)}
            </select>
          </label>
          <label class="row"><input name="all" type="checkbox" />${t('webhooks.replayDelivered')}</label>
          <wa-button type="submit" appearance="outlined" ?disabled=${this.isBusy}>${t('webhooks.again')}</wa-button>
        </form>
        ${this.renderOutcome('replay')}
      </section>
    `
  }
}

/** Rejects future times. Set on focus, because the page may stay open for days. */
function endNow({ target }: FocusEvent): void {
  ;(target as HTMLInputElement).max = localMinute()
}

/** @returns the number of deliveries sent again, and whether there are more. */
async function replayAll(order: object): Promise<string> {
  let count = 0
  let after: string | null = null
  for (let call = 0; call < replayCallsMax; call++) {
    const body: object = { ...order, ...(after !== null && { after }) }
    const answer: { replayed: number; next: string | null } = await request('webhooks/replay', { body })
    count += answer.replayed
    after = answer.next
    if (after === null) return t('webhooks.replayed', formatCount(count))
  }
  return t('webhooks.replayedSome', formatCount(count))
}
