import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantPayment } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { t } from '../locales/locale.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'
import { type Owed, owedOf } from './owed-money.ts'

type Action = { kind: 'refund'; owed: Owed } | { kind: 'accept' } | { kind: 'end' }

/** Late money in the merchant's own wallet: enough to make the payment paid, and nothing of it is being refunded. */
const isLateInWallet = ({ refund, canAcceptLate }: MerchantPayment): boolean =>
  refund === null && canAcceptLate === true

function doneTextOf({ kind }: Action): string {
  if (kind === 'refund') return t('payment.refund.done')
  return kind === 'accept' ? t('status.completed') : t('status.cancelled')
}

/**
 * @summary A payment's actions: return money, accept late money, cancel. Each asks for confirmation.
 * @event payment-changed - The payment has changed.
 */
@customElement('payment-actions')
export class PaymentActions extends LitElement {
  static override styles = baseStyles
  @property({ attribute: false }) payment!: MerchantPayment
  @state() private action: Action | null = null
  @state() private isBusy = false
  @state() private doneText = ''
  @state() private fault: unknown

  /** More money may arrive while the dialog is open, or somebody else returns it: the person confirms what is owed now. */
  protected override willUpdate(): void {
    const { action } = this
    if (action?.kind !== 'refund' || this.isBusy) return
    const now = owedOf(this.payment).find(({ network }) => network === action.owed.network)
    this.action = now ? { kind: 'refund', owed: { ...action.owed, amount: now.amount } } : null
  }

  private ask(action: Action): void {
    this.action = action
    this.doneText = ''
    this.fault = undefined
  }

  private readonly confirm = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { action } = this
    if (!action || this.isBusy) return
    this.isBusy = true
    this.fault = undefined
    try {
      await this.send(action, String(new FormData(event.target as HTMLFormElement).get('address') ?? '').trim())
      this.doneText = doneTextOf(action)
      // Otherwise another dialog is open by now.
      if (this.action === action) this.action = null
      this.dispatchEvent(new Event('payment-changed'))
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
  }

  /** Each is idempotent. */
  private async send(action: Action, address: string): Promise<void> {
    const { id } = this.payment
    switch (action.kind) {
      case 'refund': {
        const { network } = action.owed
        const body = { address, ...(network && { network }) }
        await requestConfirmed(`deposits/refund-request/${id}`, { method: 'POST', body })
        return
      }
      case 'accept':
        await requestConfirmed(`payments/${id}/accept-late`, { method: 'POST' })
        return
      case 'end':
        await request('payments/fail', { body: { paymentId: id, status: 'cancelled' } })
        return
      default:
        action satisfies never
    }
  }

  private titleOf(action: Action): string {
    if (action.kind === 'refund') return t('payment.refund')
    return action.kind === 'accept' ? t('payment.accept') : t('payment.end')
  }

  private renderFields(action: Action) {
    const { excessOwed, currency } = this.payment
    if (action.kind === 'accept')
      return html`<p>${t('payment.accept.text', formatMoney(excessOwed ?? '', currency))}</p>`
    if (action.kind === 'end') return html`<p>${t('payment.end.text')}</p>`
    const { amount, networkName, address } = action.owed
    return html`
      <p>${t('payment.refund.text', amount)}</p>
      <label class="field">
        ${t('payment.refund.to', networkName)}
        <input name="address" required maxlength="100" autocomplete="off" spellcheck="false" .value=${address ?? ''} />
      </label>
      <label class="row small">
        <input type="checkbox" required /> <span>${t('payment.refund.check')}</span>
      </label>
    `
  }

  /** Below the buttons if the dialog was closed before the answer. */
  private renderFault() {
    return this.fault === undefined ? nothing : faultCallout(this.fault)
  }

  private renderDialog() {
    const { action } = this
    const close = () => {
      this.action = null
    }
    return html`
      <wa-dialog
        ?open=${action !== null}
        label=${action ? this.titleOf(action) : ''}
        @wa-after-hide=${close}
      >
        ${
          action
            ? html`
                <form class="stack" id="action" @submit=${this.confirm}>
                  ${this.renderFields(action)} ${this.renderFault()}
                  <div class="row">
                    <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${this.titleOf(action)}</wa-button>
                    <wa-button appearance="outlined" @click=${close}>${t('action.cancel')}</wa-button>
                  </div>
                </form>
              `
            : nothing
        }
      </wa-dialog>
    `
  }

  protected override render(): unknown {
    const { outcome, refund, isTest } = this.payment
    const isHeld = refund?.state === 'held' || isLateInWallet(this.payment)
    return html`
      <div class="stack">
        ${owedOf(this.payment).map(
          (owed) => html`
            <div class="row">
              <wa-button variant="brand" @click=${() => this.ask({ kind: 'refund', owed })}>
                ${t('payment.refund.button')}: ${owed.amount}
              </wa-button>
              ${owed.address ? html`<span class="small">${t('payment.refund.sentTo', owed.address)}</span>` : nothing}
            </div>
          `,
        )}
        <div class="row">
          ${
            isHeld
              ? html`<wa-button appearance="outlined" @click=${() => this.ask({ kind: 'accept' })}>${t('payment.accept')}</wa-button>`
              : nothing
          }
          ${
            outcome === 'pending' && !isTest
              ? html`<wa-button appearance="outlined" @click=${() => this.ask({ kind: 'end' })}>${t('payment.end')}</wa-button>`
              : nothing
          }
        </div>
        <p role="status" class="small">${this.doneText}</p>
        ${this.action === null ? this.renderFault() : nothing} ${this.renderDialog()}
      </div>
    `
  }
}
