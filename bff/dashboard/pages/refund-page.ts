import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantRefund, PaymentHistory } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/customer-link.ts'
import '../parts/payment-history.ts'
import '../parts/refund-pay.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import type { QrCode } from '../ui/qr-picture.ts'
import { recordStyles } from '../ui/record-styles.ts'
import { shownOrder } from '../ui/shown-order.ts'
import { refundBadge } from '../ui/status-badge.ts'

type Refund = MerchantRefund & { qr?: QrCode }

const styles = css`
  dd {
    overflow-wrap: anywhere;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
`

const isNothing = (amount: string): boolean => /^0\.?0*$/.test(amount)

/** @summary One refund that the merchant's wallet pays: its amount, how it is paid, its history and its transactions. */
@customElement('refund-page')
export class RefundPage extends Page<Refund> {
  static override styles = [Page.styles, recordStyles, styles]
  @property() refundId = ''
  @state() private refusal: unknown
  @state() private isBusy = false
  @state() private isAsking = false

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
  }

  /** Another refund on the same page. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.hasUpdated && changed.has('refundId')) {
      this.data = undefined
      this.isAsking = false
      this.refusal = undefined
      void this.reload()
    }
  }

  protected heading(): string {
    return t('page.refund')
  }

  protected async load(signal: AbortSignal): Promise<Refund> {
    const path = `refunds/${encodeURIComponent(this.refundId)}`
    return (await request<{ refund: Refund }>(path, { query: { include: 'qr' }, signal })).refund
  }

  protected override renderActions(): unknown {
    return html`<a href="/dashboard/refunds">${t('refund.back')}</a>`
  }

  private readonly cancel = async (): Promise<void> => {
    if (this.isBusy) return
    const { refundId } = this
    this.isBusy = true
    this.refusal = undefined
    try {
      await request(`refunds/${encodeURIComponent(refundId)}/cancel`, { method: 'POST' })
      await this.reload()
    } catch (refusal) {
      if (refundId === this.refundId) this.refusal = refusal
    }
    this.isBusy = false
  }

  private renderSum(refund: Refund) {
    const { amount, currency, networkName, reason, remaining, excess, status, isTest, transactions } = refund
    const isPartly = status === 'to_pay' && remaining !== amount
    const canCancel =
      may('post /refunds/{refundId}/cancel') &&
      transactions.length === 0 &&
      (status === 'to_pay' || status === 'awaiting_address')
    return html`
      <section class="card" aria-label=${t('payments.amount')}>
        <div class="row spread"><span class="sum number">${formatMoney(amount, currency)}</span> ${refundBadge(refund)}</div>
        <p class="small quiet">${networkName}</p>
        ${reason === null ? nothing : html`<p>${reason}</p>`}
        ${isPartly ? html`<p>${t('refund.remaining', formatMoney(remaining, currency))}</p>` : nothing}
        ${isNothing(excess) ? nothing : html`<p>${t('refund.excess', formatMoney(excess, currency))}</p>`}
        ${isTest ? html`<p class="quiet">${t('payment.test')}</p>` : nothing}
        ${status === 'to_pay' ? nothing : html`<refund-pay .refund=${refund}></refund-pay>`}
        ${isWaiting(refund) && may(showLink) ? customerLink(refund) : nothing}
        ${this.refusal === undefined ? nothing : faultCallout(this.refusal)}
        ${canCancel ? this.renderCancel() : nothing}
      </section>
    `
  }

  private renderCancel() {
    const ask = () => {
      this.isAsking = true
    }
    if (!this.isAsking)
      return html`<div class="row"><wa-button appearance="outlined" @click=${ask}>${t('refunds.cancel')}</wa-button></div>`
    return html`
      <p>${t('refunds.cancel.text')}</p>
      <div class="row">
        <wa-button variant="danger" ?loading=${this.isBusy} @click=${this.cancel}>${t('refunds.cancel')}</wa-button>
      </div>
    `
  }

  private renderPay(refund: Refund) {
    if (refund.status !== 'to_pay' || !may('post /refunds/prompts')) return nothing
    const onSent = () => void this.reload()
    return html`
      <section class="card" aria-labelledby="pay">
        <h2 id="pay">${t('refunds.pay')}</h2>
        <refund-pay .refund=${refund} .qr=${refund.qr ?? null} @refund-sent=${onSent}></refund-pay>
      </section>
    `
  }

  private renderTransactions({ transactions, currency }: Refund) {
    if (transactions.length === 0) return nothing
    return html`
      <section class="card" aria-labelledby="transactions">
        <h2 id="transactions">${t('refund.transactions')}</h2>
        <ul class="stack">
          ${transactions.map(
            ({ hash, amount, isFinal, explorerUrl }) => html`
              <li>
                <strong class="number">${formatMoney(amount, currency)}</strong>
                <span class="copied"
                  ><code dir="ltr">${cutText(hash)}</code
                  ><copy-text text=${hash} label=${t('payments.transaction')}></copy-text
                ></span>
                ${
                  explorerUrl
                    ? html`<a href=${explorerUrl} target="_blank" rel="noreferrer">${t('history.explorer')}</a>`
                    : nothing
                }
                <div class="small quiet">${isFinal ? t('refund.confirmed') : t('refunds.status.confirming')}</div>
              </li>
            `,
          )}
        </ul>
      </section>
    `
  }

  private renderDetails(refund: Refund) {
    const { id, paymentId, requestedBy, address, price, priceCurrency, rate, currency } = refund
    const order = shownOrder(refund.orderId)
    return html`
      <section class="card" aria-labelledby="details">
        <h2 id="details">${t('payment.details')}</h2>
        <dl>
          <dt>${t('refund.payment')}</dt>
          <dd><a href="/dashboard/payments/${paymentId}">${cutText(paymentId)}</a></dd>
          ${order === null ? nothing : html`<dt>${t('payments.order')}</dt><dd><bdi>${order}</bdi></dd>`}
          ${requestedBy ? html`<dt>${t('refund.requestedBy')}</dt><dd>${requestedBy}</dd>` : nothing}
          ${
            address === null
              ? nothing
              : html`
                  <dt>${t('refund.address')}</dt>
                  <dd class="copied">
                    <code dir="ltr">${cutText(address)}</code
                    ><copy-text text=${address} label=${t('refund.address')}></copy-text>
                  </dd>
                `
          }
          ${
            price === null || priceCurrency === null
              ? nothing
              : html`
                  <dt>${t('refunds.request.rate')}</dt>
                  <dd>${formatMoney(price, priceCurrency)} · ${formatMoney('1', currency)} = ${rate} ${priceCurrency}</dd>
                `
          }
          <dt>${t('refund.id')}</dt>
          <dd class="copied"><code>${cutText(id)}</code><copy-text text=${id} label=${t('refund.id')}></copy-text></dd>
          ${
            !isWaiting(refund) && may(showLink)
              ? html`<dt>${t('refunds.link')}</dt><dd>${customerLink(refund)}</dd>`
              : nothing
          }
        </dl>
      </section>
    `
  }

  protected renderData(refund: Refund): unknown {
    return html`
      <div class="columns">
        <div class="stack">
          ${this.renderSum(refund)} ${this.renderPay(refund)} ${this.renderTransactions(refund)}
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="history">
            <h2 id="history">${t('payment.history')}</h2>
            <payment-history .entries=${historyOf(refund)}></payment-history>
          </section>
          ${this.renderDetails(refund)}
        </div>
      </div>
    `
  }
}

/** The link to send stands beside the sum until the customer has entered an address, then among the details. */
const isWaiting = ({ status }: Refund): boolean => status === 'awaiting_address'

const showLink = 'post /refunds/{refundId}/customer-link'

const customerLink = ({ id }: Refund) => html`<customer-link path="refunds/${id}"></customer-link>`

/** The refund's history, with an open request to a wallet that may still pay, in the same texts as the payment's history. */
function historyOf({ createdAt, addressNamedAt, paidAt, cancelledAt, prompt }: Refund): PaymentHistory['history'] {
  const moments = [
    { at: createdAt, code: 'event.refund.requested', says: t('says.event.refund.requested') },
    // Omitted if the address came with the request.
    {
      at: addressNamedAt === createdAt ? null : addressNamedAt,
      code: 'refund.addressNamed',
      says: t('refund.addressNamed'),
    },
    { at: prompt?.askedAt ?? null, code: 'refund.asked', says: t('refund.asked') },
    { at: cancelledAt, code: 'refund.cancelled', says: t('refund.state.cancelled') },
    { at: paidAt, code: 'event.refund.paid', says: t('says.event.refund.paid') },
  ]
  return moments.flatMap(({ at, code, says }) =>
    at === null ? [] : [{ at, kind: 'event' as const, says, sentence: { code, values: [] } }],
  )
}
