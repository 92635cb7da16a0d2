import { html, nothing, type TemplateResult } from 'lit'
import { type Fault, request } from '../api/client.ts'
import { clientSecretField, clientSecretOf } from '../api/replace-payment.ts'
import { t } from '../locales/locale.ts'
import { Part } from '../part.ts'
import type { Answer, Payment } from '../payment.ts'
import { viewGroups } from '../ui/copy.ts'
import { icon } from '../ui/icon.ts'
import { explainFault } from '../views/fault-text.ts'
import { viewButton } from '../views/frame.ts'
import { formatOwed, type OwedMoney, shopOf } from '../views/owed-money.ts'
import { viewRefundProgress } from './refund-progress.ts'

const evmAddress = /^0x[\da-f]{40}$/i
/** Base58 of 32 bytes. */
const solanaAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * Asks for a refund address and its confirmation, because it can be set only once; then shows the refund's progress.
 */
export class RefundForm extends Part {
  private address = ''
  private step: 'writing' | 'checking' | 'sending' = 'writing'
  /** Evaluated at render time, in the current language. */
  private problem: (() => string) | null = null

  view(owed: OwedMoney, answer: Answer): TemplateResult {
    const { payment } = answer
    const progress = viewRefundProgress(answer, owed)
    if (progress) return progress
    if (!clientSecretOf(payment.id)) return html`<p class="panel">${t('refundByShop', shopOf(payment))}</p>`
    return this.step === 'writing' ? this.viewForm(owed, payment) : this.viewCheck(owed, payment)
  }

  private viewForm(owed: OwedMoney, payment: Payment): TemplateResult {
    const { networkName, currency } = owed
    const hint = `hint-${owed.network}`
    return html`<form class="panel form" novalidate @submit=${(event: Event) => this.check(event, owed, payment)}>
      <p class="lead">${t('refundTitle', formatOwed(owed))}</p>
      <label class="field">${t('refundAsk', networkName)}
        <input type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100"
          aria-invalid=${this.problem ? 'true' : nothing} aria-describedby=${hint}
          .value=${this.address} @input=${this.write} />
      </label>
      <p class="label" id=${hint}>${t('refundHint', currency, networkName)}</p>
      ${this.problem ? html`<p class="problem" role="alert">${icon('warning')}${this.problem()}</p>` : nothing}
      <button class="main">${t('refundNext')}</button>
    </form>`
  }

  private viewCheck(owed: OwedMoney, payment: Payment): TemplateResult {
    const isSending = this.step === 'sending'
    return html`<div class="panel form">
      <p class="lead">${t('refundCheck', formatOwed(owed), owed.networkName)}</p>
      <code class="address" dir="ltr">${viewGroups(this.address)}</code>
      ${viewButton(isSending ? t('oneMoment') : t('refundSend'), () => void this.send(owed, payment))}
      ${isSending ? nothing : viewButton(t('refundEdit'), () => this.go('writing'), 'quiet')}
    </div>`
  }

  private readonly write = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.address = target.value.trim()
  }

  private go(step: RefundForm['step'], problem: RefundForm['problem'] = null): void {
    this.step = step
    this.problem = problem
    this.host.requestUpdate()
  }

  private check(event: Event, { networkName }: OwedMoney, { chainId }: Payment): void {
    event.preventDefault()
    // A test payment is on no chain; the service validates its address.
    const pattern = chainId === 0 ? /^\w{32,44}$/ : this.address.startsWith('0x') ? evmAddress : solanaAddress
    const isGood = pattern.test(this.address)
    this.go(isGood ? 'checking' : 'writing', isGood ? null : () => t('refundBad', networkName))
  }

  private async send({ network }: OwedMoney, { id }: Payment): Promise<void> {
    const { checkout } = this.controller
    if (this.step === 'sending' || !('intent' in checkout)) return
    this.go('sending')
    const body = { address: this.address, ...clientSecretField(id), ...(network && { network }) }
    const { publicKey } = this.host
    const reply = await request(checkout.intent.apiBase, `deposits/refund-request/${id}`, { publicKey, body })
    // The next response shows the address that was set first, or that nothing is owed any more.
    const isNamed = !('fault' in reply) || namedBefore.has(reply.fault.code)
    this.go('writing', isNamed ? null : () => sayRefusal(reply.fault))
    if (isNamed) this.controller.pollAgain()
  }
}

/** A refused field is the address: the form sends nothing else that the customer wrote. */
function sayRefusal(fault: Fault): string {
  return fault.code === 'VALIDATION_FAILED' ? t('refundRefused') : explainFault(fault)
}

const namedBefore = new Set(['REFUND_ALREADY_REQUESTED', 'NOTHING_OWED'])
