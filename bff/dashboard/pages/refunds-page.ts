import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { css, html, nothing, type PropertyValues } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { MerchantRefund, MerchantRefunds } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/customer-link.ts'
import '../parts/refund-pay.ts'
import '../parts/refund-payment.ts'
import { cutText } from '../ui/cut-text.ts'
import { emptyState } from '../ui/empty-state.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney, formatTime } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import type { QrCode } from '../ui/qr-picture.ts'
import { shownOrder } from '../ui/shown-order.ts'
import { refundBadge } from '../ui/status-badge.ts'

const refundsMax = 100
/** Maximum refunds paid by one signature: the service accepts no more in one prompt. */
const togetherMax = 20

type Data = { open: MerchantRefund[]; done: MerchantRefund[] }

type Shown =
  | { kind: 'pay'; refund: MerchantRefund; qr: QrCode | null }
  | { kind: 'payAll' }
  | { kind: 'cancel'; refund: MerchantRefund }

const styles = css`
  .amount {
    display: inline-flex;
    gap: 0.5rem;
    align-items: center;
  }
  .time {
    min-width: 8rem;
  }
`

const toPayments = () => html`
  <wa-button appearance="outlined" href="/dashboard/payments">${t('page.payments')}</wa-button>
`

const isOpen = ({ status }: MerchantRefund): boolean => status !== 'paid' && status !== 'cancelled'

/** @summary Refunds that the merchant's own wallet pays: those to be paid, with what to send, and ended ones. */
@customElement('refunds-page')
export class RefundsPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @state() private shown: Shown | null = null
  /** Increases with each dialog: a late answer for an earlier one must not replace or close it. */
  private turn = 0
  /** Ids of the refunds to pay together. */
  @state() private selected: ReadonlySet<string> = new Set()
  @state() private refusal: unknown
  @state() private isBusy = false

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
  }

  protected heading(): string {
    return t('page.refunds')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const page = (status: string) =>
      request<MerchantRefunds>('refunds', { query: { status, limit: refundsMax }, signal }).then(
        ({ refunds }) => refunds,
      )
    const [open, all] = await Promise.all([page('open'), page('all')])
    return { open, done: all.filter((refund) => !isOpen(refund)) }
  }

  private show(shown: Shown | null): void {
    this.turn += 1
    this.refusal = undefined
    this.shown = shown
  }

  private async pay({ id }: MerchantRefund): Promise<void> {
    this.show(null)
    await this.readCode(id)
  }

  /** Reads the refund with its QR code, which names the sum. */
  private async readCode(id: string): Promise<void> {
    const { turn } = this
    try {
      const answer = await request<{ refund: MerchantRefund & { qr?: QrCode } }>(`refunds/${id}`, {
        query: { include: 'qr' },
      })
      if (turn === this.turn) this.shown = { kind: 'pay', refund: answer.refund, qr: answer.refund.qr ?? null }
    } catch (refusal) {
      if (turn === this.turn) this.refusal = refusal
    }
  }

  private readonly payAll = (): void => {
    this.show({ kind: 'payAll' })
  }

  /** Runs a change, and closes its dialog once it is done. */
  private async change(send: () => Promise<unknown>): Promise<void> {
    if (this.isBusy) return
    const { turn } = this
    this.isBusy = true
    this.refusal = undefined
    try {
      await send()
      if (turn === this.turn) this.show(null)
      await this.reload()
    } catch (refusal) {
      if (turn === this.turn || this.shown === null) this.refusal = refusal
    }
    this.isBusy = false
  }

  private readonly onSent = (): void => void this.reload()

  /** The dialog follows its refund: another tab or person may have paid it. */
  protected override willUpdate(changed: PropertyValues): void {
    const { shown, data } = this
    if (!changed.has('data') || !data || shown === null || shown.kind === 'payAll') return
    const refund = [...data.open, ...data.done].find(({ id }) => id === shown.refund.id)
    if (!refund) return
    const isOtherSum = shown.kind === 'pay' && refund.paymentUri !== shown.refund.paymentUri
    this.shown = isOtherSum ? { ...shown, refund, qr: null } : { ...shown, refund }
    if (isOtherSum && refund.paymentUri !== null) void this.readCode(refund.id)
  }

  private renderCancel({ id }: MerchantRefund) {
    const cancel = () => this.change(() => request(`refunds/${id}/cancel`, { method: 'POST' }))
    return html`
      <div class="stack">
        <p>${t('refunds.cancel.text')}</p>
        <div class="row">
          <wa-button variant="danger" ?loading=${this.isBusy} @click=${cancel}>${t('refunds.cancel')}</wa-button>
        </div>
      </div>
    `
  }

  private renderShown(shown: Shown) {
    if (shown.kind === 'pay')
      return html`<refund-pay .refund=${shown.refund} .qr=${shown.qr} @refund-sent=${this.onSent}></refund-pay>`
    if (shown.kind === 'cancel') return this.renderCancel(shown.refund)
    return html`
      <div class="stack">
        <p>${t('refunds.several.text')}</p>
        <refund-payment .refunds=${this.chosen} @refund-sent=${this.onSent}></refund-payment>
      </div>
    `
  }

  private get chosen(): MerchantRefund[] {
    return (this.data?.open ?? []).filter(({ id }) => this.selected.has(id))
  }

  private renderSelect({ id, amount, currency, wallet, prompt, network }: MerchantRefund) {
    if (wallet === null || prompt !== null || !may('post /refunds/prompts')) return nothing
    const isOther = this.chosen.some((one) => one.network !== network)
    const toggle = (event: Event) => {
      const selected = new Set(this.selected)
      if ((event.target as HTMLInputElement).checked) selected.add(id)
      else selected.delete(id)
      this.selected = selected
    }
    return html`
      <input
        type="checkbox"
        aria-label=${t('refunds.select', formatMoney(amount, currency))}
        .checked=${this.selected.has(id)}
        ?disabled=${isOther || (this.chosen.length >= togetherMax && !this.selected.has(id))}
        @change=${toggle}
      />
    `
  }

  private renderDialog() {
    const { shown } = this
    const close = () => {
      this.show(null)
    }
    const title = shown === null ? '' : t(shown.kind === 'cancel' ? 'refunds.cancel' : 'refunds.pay')
    const content = shown === null ? nothing : this.renderShown(shown)
    return html`
      <wa-dialog ?open=${shown !== null} label=${title} @wa-after-hide=${close}>
        ${content} ${shown === null || this.refusal === undefined ? nothing : faultCallout(this.refusal)}
      </wa-dialog>
    `
  }

  private renderButtons(refund: MerchantRefund) {
    const { id, status, transactions } = refund
    const canChange = may('post /refunds/{refundId}/cancel')
    const cancel = () => {
      this.show({ kind: 'cancel', refund })
    }
    return html`
      <div class="buttons">
        ${
          status === 'to_pay' && canChange
            ? html`<wa-button variant="brand" size="s" @click=${() => this.pay(refund)}>${t('refunds.pay')}</wa-button>`
            : nothing
        }
        ${
          status === 'awaiting_address' && may('post /refunds/{refundId}/customer-link')
            ? html`<customer-link path="refunds/${id}"></customer-link>`
            : nothing
        }
        ${
          transactions.length === 0 && canChange && isOpen(refund)
            ? html`<wa-button appearance="outlined" size="s" @click=${cancel}>${t('refunds.cancel')}</wa-button>`
            : nothing
        }
      </div>
    `
  }

  private renderRow(refund: MerchantRefund) {
    const { id, amount, currency, networkName, createdAt, reason, orderId } = refund
    const order = shownOrder(orderId)
    return html`
      <tr>
        <td class="end">
          <span class="amount number">
            ${this.renderSelect(refund)}<a href="/dashboard/refunds/${id}">${formatMoney(amount, currency)}</a>
          </span>
          <div class="small quiet">${networkName}</div>
        </td>
        <td>
          ${order === null ? t('payments.noOrder') : html`<bdi class="number">${cutText(order)}</bdi>`}
          ${reason === null ? nothing : html`<div class="small quiet">${reason}</div>`}
        </td>
        <td>
          ${refundBadge(refund)}
        </td>
        <td class="time">${formatTime(createdAt)}</td>
        <td class="end">${this.renderButtons(refund)}</td>
      </tr>
    `
  }

  private renderTable(title: string, refunds: readonly MerchantRefund[]) {
    if (refunds.length === 0) return nothing
    return html`
      <h2>${title}</h2>
      <div class="card scroll" role="region" aria-label=${title} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="end">${t('payments.amount')}</th>
              <th scope="col">${t('payments.order')}</th>
              <th scope="col">${t('links.state')}</th>
              <th scope="col">${t('payments.created')}</th>
              <th scope="col"><span class="visually-hidden">${t('refunds.pay')}</span></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              refunds,
              ({ id }) => id,
              (refund) => this.renderRow(refund),
            )}
          </tbody>
        </table>
      </div>
    `
  }

  protected renderData({ open, done }: Data): unknown {
    const isNone = open.length === 0 && done.length === 0
    return html`
      ${isNone ? emptyState('rotate', t('refunds.none'), toPayments()) : nothing}
      ${this.renderTable(t('refunds.open'), open)}
      ${
        this.chosen.length > 1
          ? html`
              <div class="row">
                <wa-button variant="brand" @click=${this.payAll}>${t('refunds.several')}</wa-button>
              </div>
            `
          : nothing
      }
      ${this.renderTable(t('refunds.done'), done)}
      ${this.shown === null && this.refusal !== undefined ? faultCallout(this.refusal) : nothing} ${this.renderDialog()}
    `
  }
}
