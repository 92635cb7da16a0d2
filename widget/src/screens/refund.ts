import { html, nothing, type TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import type { Answer, Payment } from '../payment.ts'
import { clientSecretField, clientSecretOf } from '../session.ts'
import { viewGroups } from '../ui/groups.ts'
import { icon } from '../ui/icon.ts'
import { explorerLink, viewButton, viewLink } from '../views/frame.ts'
import { say, sayAmount, type WordName, word } from '../words/say.ts'
import type { Debt } from './debts.ts'
import { post } from './post.ts'
import type { ScreensHost } from './screens.ts'

/** What is said of money that goes back by itself; the words for `address_needed` are the form. */
const progressWords: Record<string, WordName> = {
  waiting: word('refundWaiting'),
  sending: word('refundSending'),
  delayed: word('refundDelayed'),
  failed: word('refundFailed'),
  held: word('refundHeld'),
  too_small: word('refundTooSmall'),
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

  view(debt: Debt, answer: Answer): TemplateResult {
    const { payment } = answer
    const words = progressWords[debt.state]
    if (words) return viewProgress(answer, debt, words)
    if (!clientSecretOf(payment.id)) return html`<p class="panel">${say('refundByShop', shopOf(payment))}</p>`
    return this.step === 'writing' ? this.viewForm(debt, payment) : this.viewCheck(debt, payment)
  }

  private viewForm(debt: Debt, payment: Payment): TemplateResult {
    const { networkName, currency } = debt
    const hint = `hint-${debt.network}`
    return html`<form class="panel form" novalidate @submit=${(event: Event) => this.check(event, debt, payment)}>
      <p class="lead">${say('refundTitle', amountOf(debt))}</p>
      <label class="field">${say('refundAsk', networkName)}
        <input type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100"
          aria-invalid=${this.problem ? 'true' : nothing} aria-describedby=${hint}
          .value=${this.address} @input=${this.write} />
      </label>
      <p class="label" id=${hint}>${say('refundHint', currency, networkName)}</p>
      ${this.problem ? html`<p class="problem" role="alert">${icon('warning')}${this.problem()}</p>` : nothing}
      <button class="main">${say('refundNext')}</button>
    </form>`
  }

  private viewCheck(debt: Debt, payment: Payment): TemplateResult {
    const isSending = this.step === 'sending'
    return html`<div class="panel form">
      <p class="lead">${say('refundCheck', amountOf(debt), debt.networkName)}</p>
      <code class="address" dir="ltr">${viewGroups(this.address)}</code>
      ${viewButton(isSending ? say('oneMoment') : say('refundSend'), () => void this.send(debt, payment))}
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

  private check(event: Event, { networkName }: Debt, { chainId }: Payment): void {
    event.preventDefault()
    // A test payment is on no chain; the service judges its address.
    const pattern = chainId === 0 ? /^\w{32,44}$/ : this.address.startsWith('0x') ? evmAddress : solanaAddress
    const isGood = pattern.test(this.address)
    this.go(isGood ? 'checking' : 'writing', isGood ? null : () => say('refundBad', networkName))
  }

  private async send({ network }: Debt, { id }: Payment): Promise<void> {
    const { checkout } = this.controller
    if (this.step === 'sending' || !('intent' in checkout)) return
    this.go('sending')
    const url = `${checkout.intent.apiBase}/api/v1/deposits/refund-request/${id}`
    const posted = await post(url, this.host.publicKey, {
      address: this.address,
      ...clientSecretField(id),
      ...(network && { network }),
    })
    // Whoever was first, or that nothing is owed any more, is in the next answer.
    const isTold = posted.isDone || posted.code === 'REFUND_ALREADY_REQUESTED' || posted.code === 'NOTHING_OWED'
    this.go('writing', isTold ? null : () => posted.words || say('notReached'))
    if (isTold) this.controller.followOn()
  }
}

function viewProgress(answer: Answer, debt: Debt, words: WordName): TemplateResult {
  const { network, state, address, txHash } = debt
  const seal = state === 'refunded' ? 'check' : state === 'failed' || state === 'held' ? 'warning' : 'clock'
  return html`<div class="panel form">
    <p class="note refund ${seal}">${icon(seal)}<span class="lead">${say(words, amountOf(debt), shopOf(answer.payment))}</span></p>
    ${address ? html`<p class="label">${say('refundTo')}</p><code class="address" dir="ltr">${viewGroups(address)}</code>` : nothing}
    ${network ? nothing : viewLink(explorerLink(answer, txHash), say('viewTransaction'))}
  </div>`
}

export function amountOf({ amount, currency }: Debt): string {
  return `${sayAmount(amount)} ${currency}`
}

function shopOf({ merchant }: Payment): string {
  return merchant || say('theShop')
}
