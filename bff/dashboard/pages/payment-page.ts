import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantPayment, PaymentHistory, WebhookDeliveries } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { type ListedNetwork, loadNetworks } from '../api/networks.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/customer-link.ts'
import '../parts/payment-actions.ts'
import '../parts/payment-deliveries.ts'
import '../parts/payment-history.ts'
import { renderShares, shareStyles } from '../parts/payment-shares.ts'
import '../parts/payment-simulation.ts'
import '../parts/refund-form.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { formatMoney, formatTime } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { networkLabel } from '../ui/network-label.ts'
import { Page } from '../ui/page.ts'
import { recordStyles } from '../ui/record-styles.ts'
import { shownOrder } from '../ui/shown-order.ts'
import { outcomeBadge, statusText } from '../ui/status-badge.ts'

type Data = {
  payment: MerchantPayment
  history: PaymentHistory
  deliveries: WebhookDeliveries['deliveries']
  networks: readonly ListedNetwork[]
}

/** Maximum deliveries shown, newest first; the webhooks page has the rest. */
const deliveriesMax = 50

const tabs = ['overview', 'developers'] as const

const styles = css`
  .customer {
    min-height: 12rem;
  }
  .ask {
    display: grid;
    gap: var(--space-1);
  }
  .tabs {
    display: flex;
    gap: var(--space-5);
    border-bottom: 1px solid var(--color-border);
  }
  .tabs button {
    min-height: 2.75rem;
    padding: 0 2px;
    font: inherit;
    font-weight: 500;
    color: var(--color-muted);
    cursor: pointer;
    background: none;
    border: 0;
    border-bottom: 2px solid transparent;
  }
  .tabs button[aria-selected='true'] {
    color: var(--color-text);
    border-bottom-color: var(--color-accent);
  }
`

/** @summary One payment: its amount, actions, history and shares; for developers its record and webhooks. */
@customElement('payment-page')
export class PaymentPage extends Page<Data> {
  static override styles = [Page.styles, recordStyles, shareStyles, styles]
  @property() paymentId = ''
  @state() private tab: (typeof tabs)[number] = 'overview'

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
  }

  /** Another payment on the same page. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.hasUpdated && changed.has('paymentId')) {
      this.data = undefined
      void this.reload()
    }
  }

  protected heading(): string {
    return shownOrder(this.data?.payment.orderId ?? null) ?? t('page.payment')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const path = `payments/${encodeURIComponent(this.paymentId)}`
    const { payment } = await request<{ payment: MerchantPayment }>(path, { signal })
    const query = { paymentId: payment.id, isTest: payment.isTest, limit: deliveriesMax }
    const [history, { deliveries }, networks] = await Promise.all([
      request<PaymentHistory>(`${path}/history`, { signal }),
      request<WebhookDeliveries>('webhooks/deliveries', { query, signal }),
      loadNetworks(signal),
    ])
    void showElement()
    return { payment, history, deliveries, networks }
  }

  protected override renderActions(): unknown {
    const receipt = this.data?.payment.outcome === 'paid' ? `/pay/${this.data.payment.id}/receipt#shop` : null
    return html`
      ${receipt === null ? nothing : html`<a href=${receipt} target="_blank" rel="noreferrer">${t('tills.receipt')}</a>`}
      <a href="/dashboard/payments">${t('payment.back')}</a>
    `
  }

  private renderSum({ payment, networks }: Data) {
    const { amount, currency, isTest, network, createdAt } = payment
    return html`
      <section class="card" aria-label=${t('payments.amount')}>
        <div class="row spread">
          <span class="sum number">${formatMoney(amount, currency)}</span>
          ${outcomeBadge(payment)}
        </div>
        <p>${statusText(payment)}</p>
        <p class="small quiet">
          ${networkLabel(network, networks)}${createdAt ? html` · ${formatTime(createdAt)}` : nothing}
        </p>
        ${isTest ? html`<p class="quiet">${t('payment.test')}</p>` : nothing}
        <payment-actions
          .payment=${payment}
          ?hidden=${!may('post /deposits/refund-request/{paymentId}')}
          @payment-changed=${() => void this.reload()}
        ></payment-actions>
        <refund-form .payment=${payment} @payment-changed=${() => void this.reload()}></refund-form>
        ${renderAsk(payment)}
      </section>
    `
  }

  /** Nobody can pay a test payment: roles that may refund can simulate it. */
  private renderSimulation({ id }: MerchantPayment) {
    return html`
      <section class="card" aria-labelledby="simulation">
        <h2 id="simulation">${t('simulate.heading')}</h2>
        <p class="quiet small">${t('simulate.note')}</p>
        <payment-simulation paymentId=${id} @payment-changed=${() => void this.reload()}></payment-simulation>
      </section>
    `
  }

  private renderSplit({ payment, history: { shares } }: Data) {
    const settlement = settlementText(payment)
    return html`
      <section class="card" aria-labelledby="split">
        <h2 id="split">${t('payment.split')}</h2>
        ${renderShares(payment, shares)} ${settlement === null ? nothing : html`<p class="small">${settlement}</p>`}
      </section>
    `
  }

  private renderDetails({ payment, networks }: Data) {
    const { id, customerEmail, network, depositAddress, transactionHash, createdAt, expiresAt } = payment
    const copied = (text: string, label: string) => html`
      <span class="copied"><code>${cutText(text)}</code><copy-text text=${text} label=${label}></copy-text></span>
    `
    return html`
      <section class="card" aria-labelledby="details">
        <h2 id="details">${t('payment.details')}</h2>
        <dl>
          <dt>${t('payment.id')}</dt>
          <dd>${copied(id, t('payment.id'))}</dd>
          <dt>${t('payments.network')}</dt>
          <dd>${networkLabel(network, networks)}</dd>
          ${createdAt ? html`<dt>${t('payments.created')}</dt><dd>${formatTime(createdAt)}</dd>` : nothing}
          ${expiresAt ? html`<dt>${t('payment.expires')}</dt><dd>${formatTime(expiresAt)}</dd>` : nothing}
          ${customerEmail ? html`<dt>${t('payments.email')}</dt><dd>${customerEmail}</dd>` : nothing}
          ${
            depositAddress
              ? html`<dt>${t('payments.address')}</dt><dd>${copied(depositAddress, t('payments.address'))}</dd>`
              : nothing
          }
          ${
            transactionHash
              ? html`<dt>${t('payments.transaction')}</dt><dd>${copied(transactionHash, t('payments.transaction'))}</dd>`
              : nothing
          }
          ${
            !isAsking(payment) && may(showLink)
              ? html`<dt>${t('payment.link')}</dt><dd><customer-link path="payments/${id}"></customer-link></dd>`
              : nothing
          }
        </dl>
      </section>
    `
  }

  private renderTabs() {
    const select = (tab: (typeof tabs)[number]) => () => {
      this.tab = tab
    }
    /** Keyboard navigation of tabs: the arrow keys choose the other tab. */
    const move = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      this.tab = this.tab === 'overview' ? 'developers' : 'overview'
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${this.tab}`)?.focus())
    }
    return html`
      <div class="tabs" role="tablist" aria-label=${t('page.payment')} @keydown=${move}>
        ${tabs.map(
          (tab) => html`
            <button
              type="button"
              role="tab"
              id="tab-${tab}"
              aria-controls="panel"
              aria-selected=${tab === this.tab}
              tabindex=${tab === this.tab ? 0 : -1}
              @click=${select(tab)}
            >
              ${tab === 'overview' ? t('payment.tab') : t('page.developers')}
            </button>
          `,
        )}
      </div>
    `
  }

  private renderOverview(data: Data) {
    const { payment, history } = data
    return html`
      <div class="columns">
        <div class="stack">
          ${this.renderSum(data)}
          <section class="card" aria-labelledby="history">
            <h2 id="history">${t('payment.history')}</h2>
            <payment-history .entries=${history.history} .payment=${payment}></payment-history>
          </section>
          ${payment.isTest && may('post /sandbox/payments/{paymentId}/simulate') ? this.renderSimulation(payment) : nothing}
        </div>
        <div class="stack">
          ${this.renderSplit(data)} ${this.renderDetails(data)}
          <section class="card" aria-labelledby="customer">
            <h2 id="customer">${t('payment.customer')}</h2>
            <div class="customer" inert>
              <stablecoin-checkout payment-id=${payment.id} api-base=${location.origin}></stablecoin-checkout>
            </div>
          </section>
        </div>
      </div>
    `
  }

  private renderDevelopers({ payment, deliveries }: Data) {
    const json = JSON.stringify(payment, null, 2)
    return html`
      <div class="stack">
        <section class="card" aria-labelledby="webhooks">
          <h2 id="webhooks">${t('payment.webhooks')}</h2>
          <payment-deliveries .deliveries=${deliveries} @payment-changed=${() => void this.reload()}></payment-deliveries>
        </section>
        <section class="card" aria-labelledby="json">
          <div class="row spread">
            <h2 id="json">${t('payment.json')}</h2>
            <copy-text text=${json} label="JSON"></copy-text>
          </div>
          <pre tabindex="0">${json}</pre>
        </section>
      </div>
    `
  }

  protected renderData(data: Data): unknown {
    return html`
      ${this.renderTabs()}
      <div id="panel" role="tabpanel" aria-labelledby="tab-${this.tab}">
        ${this.tab === 'overview' ? this.renderOverview(data) : this.renderDevelopers(data)}
      </div>
    `
  }
}

const showLink = 'post /payments/{paymentId}/customer-link'

/** A refund needs the customer's address. */
const isAsking = ({ refund }: MerchantPayment): boolean => refund?.state === 'address_needed'

/** If a refund needs the customer's address: the link of the page that asks for it. */
function renderAsk(payment: MerchantPayment) {
  if (!isAsking(payment) || !may(showLink)) return nothing
  return html`
    <div class="ask">
      <h3>${t('payment.ask')}</h3>
      <p class="small quiet">${t('payment.ask.text')}</p>
      <customer-link path="payments/${payment.id}"></customer-link>
    </div>
  `
}

/** The state of the payout to the merchant, where the status does not show it. */
function settlementText({
  settlement: { state },
  outcome,
  paymentMode,
  amountReceived,
}: MerchantPayment): string | null {
  if (state === 'delayed' || state === 'failed') return t(`payment.settlement.${state}`)
  const isOwed = outcome === 'failed' && paymentMode === 'contract' && amountReceived !== null
  return isOwed ? t('payment.settlement.inWallet') : null
}

/** The customer's view: this service's element. A service without it shows the rest of the page. */
async function showElement(): Promise<void> {
  const address = '/stablecoin-checkout.js'
  await import(/* @vite-ignore */ address).catch(() => undefined)
}
