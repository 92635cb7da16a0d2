import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Fault } from '../api.ts'
import { viewQrChoice } from '../screens/qr-choice.ts'
import { copyButton, viewBox } from '../ui/copy.ts'
import { viewGroups } from '../ui/groups.ts'
import { icon } from '../ui/icon.ts'
import { viewCountdown, viewQr } from '../views/deposit.ts'
import { viewAmount, viewButton, viewLink, viewMessage, viewTop, withUnit } from '../views/frame.ts'
import { viewChecking } from '../views/outcome.ts'
import { viewTimeline } from '../views/timeline.ts'
import type { View } from '../views/view.ts'
import { say } from '../words/say.ts'
import type { Bridge } from './bridge.ts'
import type { Choice } from './service.ts'
import type { Source } from './sources.ts'

type Choosing = {
  sources: readonly Source[]
  choice: Choice
  fault: Fault | null
  onChoose: (choice: Choice) => void
  onGo: () => void
  onBack: () => void
}

/** Which chain, which token. */
export function viewChoice(view: View, { sources, choice, fault, onChoose, onGo, onBack }: Choosing): TemplateResult {
  const { payment } = view.following.answer
  const { chainId, currency } = choice
  const source = sources.find((one) => one.chainId === chainId)
  const pick = (event: Event) => (event.target as HTMLSelectElement).value
  return html`${viewTop(payment, viewCountdown(view.leftMs))}
    <p class="title" role="heading" aria-level="2" tabindex="-1">${say('elsewhereTitle')}</p>
    <p class="label">${say('elsewhereText', withUnit(payment.amount, payment), payment.network)}</p>
    ${fault ? viewFault(fault) : nothing}
    <p class="label" id="sc-chain">${say('elsewhereChain')}</p>
    <select aria-labelledby="sc-chain" data-choice="chain" @change=${(event: Event) => onChoose({ chainId: Number(pick(event)), currency })}>
      ${sources.map((one) => html`<option value=${one.chainId} ?selected=${one.chainId === chainId}>${one.name}</option>`)}
    </select>
    <p class="label" id="sc-token">${say('elsewhereToken')}</p>
    <select aria-labelledby="sc-token" data-choice="token" @change=${(event: Event) => onChoose({ chainId, currency: pick(event) })}>
      ${source?.currencies.map((one) => html`<option value=${one} ?selected=${one === currency}>${one}</option>`)}
    </select>
    ${source ? viewButton(say('elsewhereGo'), onGo) : nothing}
    ${viewButton(say('elsewhereBack', payment.network), onBack, 'quiet')}`
}

/** The service's reason in a customer's words, and in its own for whoever is asked for help. */
function viewFault({ code, message }: Fault): TemplateResult {
  const words = code === 'NO_ROUTE' ? say('elsewhereNoRoute') : say('elsewhereFailed')
  return html`<p class="note panel" role="alert">${icon('warning')}<span>${words} <small>${code}: ${message}</small></span></p>`
}

export function viewWorking({ following }: View): TemplateResult {
  const text = say('elsewhereWorkingText')
  return html`${viewTop(following.answer.payment)} ${viewMessage('clock', say('elsewhereWorking'), text)}`
}

/** Where to send exactly how much of what. @param onOther - Null where there is nothing to choose. */
export function viewSend(view: View, bridge: Bridge, onOther: (() => void) | null): TemplateResult {
  const { following, leftMs } = view
  const { payment } = following.answer
  const { amount, currency, network, address } = bridge
  // What the code asks for is what is sent there, not what the shop gets.
  const there = { ...payment, amount, remaining: amount, currency }
  const exact = withUnit(amount, there)
  const sent = { ...view, following: { ...following, answer: { ...following.answer, payment: there } } }
  const gets = say('elsewhereGets', withUnit(payment.amount, payment), payment.network)
  return html`${viewTop(payment, viewCountdown(leftMs))}
    <div class="row">
      <div><p class="label">${say('toSend')}</p>${viewAmount(amount, { ...payment, currency, network })}</div>
      ${copyButton('amount', say('toSend'), amount, view)}
    </div>
    ${viewQr(view, viewQrChoice(sent))} ${viewBox('address', say('addressLabel'), address, viewGroups(address), view)}
    <p class="note">${icon('warning')}<span><b>${say('only', currency, network)}</b> ${say('elsewhereExact', exact)}</span></p>
    <p class="status" part="status">${say('awaiting')}</p>
    ${viewTimeline(following)}
    <p class="label">${gets}</p>
    ${onOther ? viewButton(say('elsewhereOther'), onOther, 'quiet') : nothing}`
}

/** The bridge has the customer's money, or its chain shows it. No address any more, so that nobody sends twice. */
export function viewMoving({ following }: View, { status, amount, currency, network }: Bridge): TemplateResult {
  const { payment } = following.answer
  const [title, text] = wordsOf(status, network, payment.network)
  const more = viewAmount(amount, { ...payment, currency, network })
  const seal = status === 'failure' ? 'warning' : 'clock'
  return html`${viewTop(payment)} ${viewMessage(seal, title, text, more)} ${viewTimeline(following)}`
}

function wordsOf(status: string, origin: string, destination: string): [title: string, text: string] {
  switch (status) {
    case 'depositing':
      return [say('elsewhereSeen'), say('elsewhereSeenText', origin)]
    case 'delayed':
      return [say('elsewhereDelayed'), say('elsewhereDelayedText')]
    case 'success':
      return [say('elsewhereArriving'), say('elsewhereArrivingText', destination)]
    case 'failure':
      return [say('elsewhereFailing'), say('elsewhereFailingText')]
    default:
      return [say('elsewhereMoving'), say('elsewhereMovingText')]
  }
}

export function viewReturned(
  view: View,
  { explorerUrl, refundHash, amount, currency, network }: Bridge,
): TemplateResult {
  const { intent, answer } = view.following
  const { payment } = answer
  const more = viewAmount(amount, { ...payment, currency, network })
  const link = explorerUrl && refundHash && `${explorerUrl}/tx/${refundHash}`
  return html`${viewTop(payment)} ${viewMessage('clock', say('elsewhereReturned'), say('elsewhereReturnedText'), more)}
    ${viewLink(link, say('elsewhereRefund'))}
    ${intent.type === 'follow' ? html`<p class="label">${say('askShop')}</p>` : viewButton(say('startAgain'), view.onRestart)}`
}

export function viewShort(view: View): TemplateResult {
  return viewChecking(view, say('elsewhereShort'), say('elsewhereShortText'))
}

/** An answer that contradicts an earlier one, or is not whole: nobody must be shown where to send money. */
export function viewStrange(view: View): TemplateResult {
  const { payment } = view.following.answer
  const text = say('elsewhereStrangeText')
  return html`${viewTop(payment)} ${viewMessage('warning', say('elsewhereStrange'), text, nothing, 'alert')}`
}
