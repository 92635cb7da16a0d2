import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { MerchantRefund, MerchantRefunds } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import '../parts/refund-payment.ts'
import '../ui/copy-button.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney, formatTime } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'

const refundsMax = 100
/** Refunds that one signature pays: the service remembers no more at once. */
const togetherMax = 20

type Data = { open: MerchantRefund[]; done: MerchantRefund[] }

type Shown =
  | { kind: 'pay'; refund: MerchantRefund; qr: QrCode | null }
  | { kind: 'payAll' }
  | { kind: 'cancel'; refund: MerchantRefund }

const styles = css`
  .qr {
    display: block;
    width: min(100%, 14rem);
    margin: 0 auto;
  }
  .address {
    overflow-wrap: anywhere;
  }
`

const isOpen = ({ status }: MerchantRefund): boolean => status !== 'paid' && status !== 'cancelled'

const isSent = ({ status, prompt }: MerchantRefund): boolean =>
  status === 'to_pay' && prompt !== null && (prompt.transactionHash ?? prompt.batchId) !== null

/** @summary Refunds that the merchant's own wallet pays: those to be paid, with what to send, and those that ended. */
@customElement('refunds-page')
export class RefundsPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @state() private shown: Shown | null = null
  /** Ids of those to pay together. */
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

  private async pay({ id }: MerchantRefund): Promise<void> {
    this.refusal = undefined
    try {
      const answer = await request<{ refund: MerchantRefund & { qr?: QrCode } }>(`refunds/${id}`, {
        query: { include: 'qr' },
      })
      this.shown = { kind: 'pay', refund: answer.refund, qr: answer.refund.qr ?? null }
    } catch (refusal) {
      this.refusal = refusal
    }
  }

  private readonly payAll = (): void => {
    this.refusal = undefined
    this.shown = { kind: 'payAll' }
  }

  /** Runs a change, and closes the dialog once it is done. */
  private async change(send: () => Promise<unknown>): Promise<void> {
    this.isBusy = true
    this.refusal = undefined
    try {
      await send()
      this.shown = null
      await this.reload()
    } catch (refusal) {
      this.refusal = refusal
    }
    this.isBusy = false
  }

  private readonly verify = (event: SubmitEvent, id: string): void => {
    event.preventDefault()
    const transactionHash = String(new FormData(event.target as HTMLFormElement).get('transaction') ?? '').trim()
    void this.change(() => requestConfirmed(`refunds/${id}/verify`, { method: 'POST', body: { transactionHash } }))
  }

  /** What was sent is known to every page, the moment that this one reads it again. */
  private readonly onSent = async (): Promise<void> => {
    await this.reload()
    const { shown } = this
    const open = this.data?.open ?? []
    if (shown?.kind === 'pay')
      this.shown = { ...shown, refund: open.find(({ id }) => id === shown.refund.id) ?? shown.refund }
  }

  private renderPay({ refund, qr }: { refund: MerchantRefund; qr: QrCode | null }) {
    const { id, remaining, currency, networkName, address, wallet, prompt } = refund
    const payment = html`<refund-payment .refunds=${[refund]} @refund-sent=${this.onSent}></refund-payment>`
    if (prompt !== null) return payment
    return html`
      <div class="stack">
        ${wallet ? html`<h3>${t('refunds.wallet')}</h3>${payment}<h3>${t('refunds.byTransfer')}</h3>` : nothing}
        <p>${t('refunds.pay.text', formatMoney(remaining, currency), networkName)}</p>
        <p class="address">
          <code dir="ltr">${address}</code> <copy-text text=${address ?? ''} label=${t('action.copy')}></copy-text>
        </p>
        ${qr ? qrPicture(qr, t('refunds.qr')) : nothing}
        <form class="stack" @submit=${(event: SubmitEvent) => this.verify(event, id)}>
          <label class="field">
            ${t('refunds.pay.other')}
            <input name="transaction" required maxlength="100" autocomplete="off" spellcheck="false" dir="ltr" />
          </label>
          <div class="row">
            <wa-button type="submit" appearance="outlined" ?loading=${this.isBusy}>${t('refunds.verify')}</wa-button>
          </div>
        </form>
      </div>
    `
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
    if (shown.kind === 'pay') return this.renderPay(shown)
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
        ?disabled=${isOther || (this.selected.size >= togetherMax && !this.selected.has(id))}
        @change=${toggle}
      />
    `
  }

  private renderDialog() {
    const { shown } = this
    const close = () => {
      this.shown = null
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
    const { status, pageUrl, transactions } = refund
    const canChange = may('post /refunds/{refundId}/cancel')
    const cancel = () => {
      this.refusal = undefined
      this.shown = { kind: 'cancel', refund }
    }
    return html`
      <div class="row">
        ${
          status === 'to_pay' && canChange
            ? html`<wa-button variant="brand" size="s" @click=${() => this.pay(refund)}>${t('refunds.pay')}</wa-button>`
            : nothing
        }
        ${pageUrl ? html`<copy-text text=${pageUrl} label=${t('refunds.link')}></copy-text>` : nothing}
        ${
          transactions.length === 0 && canChange && isOpen(refund) && refund.prompt === null
            ? html`<wa-button appearance="outlined" size="s" @click=${cancel}>${t('refunds.cancel')}</wa-button>`
            : nothing
        }
      </div>
    `
  }

  private renderRow(refund: MerchantRefund) {
    const { paymentId, amount, currency, networkName, status, createdAt, reason } = refund
    return html`
      <tr>
        <td class="end number">
          ${this.renderSelect(refund)}
          <a href="/dashboard/payments/${paymentId}">${formatMoney(amount, currency)}</a>
        </td>
        <td>${networkName}</td>
        <td>
          <wa-badge variant=${status === 'paid' ? 'success' : isOpen(refund) ? 'brand' : 'neutral'} appearance="filled-outlined">
            ${isSent(refund) ? t('refunds.status.sent') : (tOrNull(`refunds.status.${status}`) ?? status)}
          </wa-badge>
        </td>
        <td>${reason ?? ''}</td>
        <td>${formatTime(createdAt)}</td>
        <td>${this.renderButtons(refund)}</td>
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
              <th scope="col">${t('payments.network')}</th>
              <th scope="col">${t('links.state')}</th>
              <th scope="col">${t('refunds.request.reason')}</th>
              <th scope="col">${t('payments.created')}</th>
              <th scope="col"><span class="visually-hidden">${t('refunds.pay')}</span></th>
            </tr>
          </thead>
          <tbody>${refunds.map((refund) => this.renderRow(refund))}</tbody>
        </table>
      </div>
    `
  }

  protected renderData({ open, done }: Data): unknown {
    const isNone = open.length === 0 && done.length === 0
    return html`
      ${isNone ? html`<div class="card"><p>${t('refunds.none')}</p></div>` : nothing}
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
