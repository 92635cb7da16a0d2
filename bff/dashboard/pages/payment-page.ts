import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing, type PropertyValues } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { MerchantPayment, PaymentHistory, WebhookDeliveries } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/payment-actions.ts'
import '../parts/payment-deliveries.ts'
import '../parts/payment-history.ts'
import '../parts/payment-simulation.ts'
import '../parts/refund-form.ts'
import '../ui/copy-button.ts'
import { formatMoney, formatTime } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import { outcomeBadge, statusText } from '../ui/status-badge.ts'

type PaymentRecord = MerchantPayment & { paymentLink?: string | null }

type Data = {
  payment: PaymentRecord
  history: PaymentHistory
  deliveries: WebhookDeliveries['deliveries']
}

/** The newest deliveries; the webhooks page has the rest. */
const deliveriesMax = 50

const styles = css`
  .columns {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    align-items: start;
  }
  .sum {
    font-size: 1.75rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .customer {
    min-height: 12rem;
  }
  summary {
    cursor: pointer;
    font-weight: 600;
  }
`

/** @summary One payment: requested and received amounts, history, webhooks and actions. */
@customElement('payment-page')
export class PaymentPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @property() paymentId = ''

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
    return this.data?.payment.orderId ?? t('page.payment')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const path = `payments/${encodeURIComponent(this.paymentId)}`
    const { payment } = await request<{ payment: PaymentRecord }>(path, { signal })
    const query = { paymentId: payment.id, isTest: payment.isTest, limit: deliveriesMax }
    const [history, { deliveries }] = await Promise.all([
      request<PaymentHistory>(`${path}/history`, { signal }),
      request<WebhookDeliveries>('webhooks/deliveries', { query, signal }),
    ])
    void showElement()
    return { payment, history, deliveries }
  }

  protected override renderActions(): unknown {
    return html`<a href="/dashboard/payments">${t('payment.back')}</a>`
  }

  private renderSum({ payment }: Data) {
    const { amount, currency, isTest } = payment
    return html`
      <div class="card">
        <div class="row spread">
          <span class="sum number">${formatMoney(amount, currency)}</span>
          ${outcomeBadge(payment)}
        </div>
        <p>${statusText(payment)}</p>
        ${isTest ? html`<p class="quiet">${t('payment.test')}</p>` : nothing}
        <payment-actions
          .payment=${payment}
          ?hidden=${!may('post /deposits/refund-request/{paymentId}')}
          @payment-changed=${() => void this.reload()}
        ></payment-actions>
        <refund-form .payment=${payment} @payment-changed=${() => void this.reload()}></refund-form>
      </div>
    `
  }

  /** Nobody can pay a test payment: roles that may refund can simulate it. */
  private renderSimulation({ id }: PaymentRecord) {
    return html`
      <section class="card" aria-labelledby="simulation">
        <h2 id="simulation">${t('simulate.heading')}</h2>
        <p class="quiet small">${t('simulate.note')}</p>
        <payment-simulation paymentId=${id} @payment-changed=${() => void this.reload()}></payment-simulation>
      </section>
    `
  }

  private renderSplit({ payment, history: { shares } }: Data) {
    const money = (amount: string | null | undefined) => formatMoney(amount ?? '0.00', payment.currency)
    const rows: [string, string | null | undefined][] = [
      [t('payment.due'), payment.amount],
      [t('payment.received'), payment.amountReceived],
      [t('payment.remaining'), payment.outcome === 'pending' ? payment.amountRemaining : null],
      [t('payment.merchant'), shares.merchant],
      [t('payment.fee'), shares.fee],
      [t('payment.owed'), payment.excessOwed],
      [t('payments.refunded'), payment.refund?.amountRefunded],
    ]
    const settlement = settlementText(payment)
    return html`
      <section class="card" aria-labelledby="split">
        <h2 id="split">${t('payment.split')}</h2>
        <dl>
          ${rows.map(([label, amount]) =>
            amount === null || amount === undefined
              ? nothing
              : html`<dt>${label}</dt><dd class="number">${money(amount)}</dd>`,
          )}
        </dl>
        ${settlement === null ? nothing : html`<p class="small">${settlement}</p>`}
      </section>
    `
  }

  private renderDetails({ payment }: Data) {
    const { id, customerEmail, Network, depositAddress, transactionHash, createdAt, expiresAt, paymentLink } = payment
    const copied = (text: string, label: string) => html`
      <code>${text}</code><copy-text text=${text} label=${label}></copy-text>
    `
    return html`
      <section class="card" aria-labelledby="details">
        <h2 id="details">${t('payment.details')}</h2>
        <dl>
          <dt>${t('payment.id')}</dt>
          <dd>${copied(id, t('payment.id'))}</dd>
          <dt>${t('payments.network')}</dt>
          <dd>${Network.name}</dd>
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
            paymentLink
              ? html`
                  <dt>${t('payment.link')}</dt>
                  <dd>
                    <a href=${paymentLink} target="_blank" rel="noreferrer">${paymentLink}</a>
                    <copy-text text=${paymentLink} label=${t('payment.link')}></copy-text>
                  </dd>
                `
              : nothing
          }
        </dl>
      </section>
    `
  }

  protected renderData(data: Data): unknown {
    const { payment, history, deliveries } = data
    const json = JSON.stringify(payment, null, 2)
    return html`
      <div class="columns">
        <div class="stack">
          ${this.renderSum(data)} ${payment.isTest && may('post /sandbox/payments/{paymentId}/simulate') ? this.renderSimulation(payment) : nothing}
          ${this.renderSplit(data)} ${this.renderDetails(data)}
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="history">
            <h2 id="history">${t('payment.history')}</h2>
            <payment-history .entries=${history.history} .payment=${payment}></payment-history>
          </section>
          <section class="card" aria-labelledby="webhooks">
            <h2 id="webhooks">${t('payment.webhooks')}</h2>
            <payment-deliveries .deliveries=${deliveries} @payment-changed=${() => void this.reload()}></payment-deliveries>
          </section>
        </div>
      </div>
      <section class="card" aria-labelledby="customer">
        <h2 id="customer">${t('payment.customer')}</h2>
        <div class="customer" inert>
          <stablecoin-checkout payment-id=${payment.id} api-base=${location.origin}></stablecoin-checkout>
        </div>
      </section>
      <details class="card">
        <summary>${t('payment.json')}</summary>
        <copy-text text=${json} label="JSON"></copy-text>
        <pre tabindex="0">${json}</pre>
      </details>
    `
  }
}

/** What the status does not say of the money's way to the merchant. */
function settlementText({ settlement: { state }, outcome, paymentMode, amountReceived }: PaymentRecord): string | null {
  if (state === 'delayed' || state === 'failed') return t(`payment.settlement.${state}`)
  const isOwed = outcome === 'failed' && paymentMode === 'contract' && amountReceived !== null
  return isOwed ? t('payment.settlement.inWallet') : null
}

/** The customer's view: this service's element. A service without it shows the rest of the page. */
async function showElement(): Promise<void> {
  const address = '/stablecoin-checkout.js'
  await import(/* @vite-ignore */ address).catch(() => undefined)
}
