import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { amount as amountOf, record, text } from '../answer.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import type { Answer, Payment } from '../payment.ts'
import { viewGroups } from '../ui/groups.ts'
import { icon } from '../ui/icon.ts'
import { explorerLink, viewButton, viewLink, withUnit } from '../views/frame.ts'
import type { View } from '../views/view.ts'
import { say, type WordName, word } from '../words/say.ts'
import { post } from './post.ts'
import type { ScreensHost } from './screens.ts'

/** What is said of money that goes back by itself; the words for `address_needed` are the form. */
const progressWords: Record<string, WordName> = {
  waiting: word('refundWaiting'),
  sending: word('refundSending'),
  delayed: word('refundDelayed'),
  failed: word('refundFailed'),
  held: word('refundHeld'),
  refunded: word('refunded'),
}

const evmAddress = /^0x[\da-f]{40}$/i
/** Base58 of 32 bytes. */
const solanaAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Money that is owed back: asks where to, has it looked at once more, because it is said once, and shows how far it is. */
export class Refund {
  private readonly host: ScreensHost
  private readonly controller: CheckoutController
  private address = ''
  private step: 'writing' | 'checking' | 'sending' = 'writing'
  /** Said when it is drawn, in the language that is spoken then. */
  private problem: (() => string) | null = null

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** Nothing when nothing is owed and nothing went back. */
  view({ following }: View): TemplateResult | typeof nothing {
    const { answer } = following
    const { payment } = answer
    if (!payment.refundState) return nothing
    const words = progressWords[payment.refundState]
    if (words) return viewProgress(answer, words)
    if (!this.host.publicKey) return html`<p class="panel">${say('refundByShop', shopOf(payment))}</p>`
    return this.step === 'writing' ? this.viewForm(answer) : this.viewCheck(answer)
  }

  private viewForm(answer: Answer): TemplateResult {
    const { payment } = answer
    const { currency, network } = payment
    return html`<form class="panel form" novalidate @submit=${(event: Event) => this.check(event, payment)}>
      <p class="lead">${say('refundTitle', withUnit(refundOf(answer).amount, payment))}</p>
      <label class="field">${say('refundAsk', network)}
        <input type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100"
          aria-invalid=${this.problem ? 'true' : nothing} aria-describedby="refund-hint"
          .value=${this.address} @input=${this.write} />
      </label>
      <p class="label" id="refund-hint">${say('refundHint', currency, network)}</p>
      ${this.problem ? html`<p class="problem" role="alert">${icon('warning')}${this.problem()}</p>` : nothing}
      <button class="main">${say('refundNext')}</button>
    </form>`
  }

  private viewCheck(answer: Answer): TemplateResult {
    const { payment } = answer
    const { network } = payment
    const amount = withUnit(refundOf(answer).amount, payment)
    const isSending = this.step === 'sending'
    return html`<div class="panel form">
      <p class="lead">${say('refundCheck', amount, network)}</p>
      <code class="address" dir="ltr">${viewGroups(this.address)}</code>
      ${viewButton(isSending ? say('oneMoment') : say('refundSend'), () => void this.send(payment))}
      ${isSending ? nothing : viewButton(say('refundEdit'), () => this.go('writing'), 'quiet')}
    </div>`
  }

  private readonly write = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.address = target.value.trim()
  }

  private go(step: Refund['step'], problem: Refund['problem'] = null): void {
    this.step = step
    this.problem = problem
    this.host.requestUpdate()
  }

  private check(event: Event, { chainId, network }: Payment): void {
    event.preventDefault()
    // A test payment is on no chain; the service judges its address.
    const pattern = chainId === 0 ? /^\w{32,44}$/ : this.address.startsWith('0x') ? evmAddress : solanaAddress
    const isGood = pattern.test(this.address)
    this.go(isGood ? 'checking' : 'writing', isGood ? null : () => say('refundBad', network))
  }

  private async send({ id }: Payment): Promise<void> {
    const { checkout } = this.controller
    if (this.step === 'sending' || !('intent' in checkout)) return
    this.go('sending')
    const url = `${checkout.intent.apiBase}/api/v1/deposits/refund-request/${id}`
    const posted = await post(url, this.host.publicKey, { address: this.address })
    // Whoever was first, or that nothing is owed any more, is in the next answer.
    const isTold = posted.isDone || posted.code === 'REFUND_ALREADY_REQUESTED' || posted.code === 'NOTHING_OWED'
    this.go('writing', isTold ? null : () => posted.words || say('notReached'))
    if (isTold) this.controller.followOn()
  }
}

function viewProgress(answer: Answer, words: WordName): TemplateResult {
  const { payment } = answer
  const state = payment.refundState
  const { amount, address, txHash } = refundOf(answer)
  const seal = state === 'refunded' ? 'check' : state === 'failed' || state === 'held' ? 'warning' : 'clock'
  return html`<div class="panel form">
    <p class="note refund ${seal}">${icon(seal)}<span class="lead">${say(words, withUnit(amount, payment), shopOf(payment))}</span></p>
    ${address ? html`<p class="label">${say('refundTo')}</p><code class="address" dir="ltr">${viewGroups(address)}</code>` : nothing}
    ${viewLink(explorerLink(answer, txHash), say('viewTransaction'))}
  </div>`
}

/** `amount` is what is still to go, else what went. */
function refundOf({ wire }: Answer): { amount: string; address: string; txHash: string } {
  const refund = record<NonNullable<PublicPayment['refund']>>(wire.refund)
  return { amount: amountOf(refund.amount), address: text(refund.address), txHash: text(refund.txHash) }
}

function shopOf({ merchant }: Payment): string {
  return merchant || say('theShop')
}
