import { html, nothing, type TemplateResult } from 'lit'
import type { Fault } from '../api/client.ts'
import { t } from '../locales/locale.ts'
import { copyButton, viewBox, viewGroups } from '../ui/copy.ts'
import { icon } from '../ui/icon.ts'
import { detectedStep, viewTimeline } from '../views/confirming.ts'
import { viewCountdown, viewQr } from '../views/deposit.ts'
import { viewChecking } from '../views/ended.ts'
import { referenceOf } from '../views/fault-text.ts'
import { viewAmount, viewButton, viewMessage, viewTop, withUnit } from '../views/frame.ts'
import { viewLink } from '../views/links.ts'
import { viewQrChoice } from '../views/qr-choice.ts'
import type { View } from '../views/view.ts'
import type { Bridge, Choice } from './bridge.ts'
import type { BridgeChain } from './bridge-chains.ts'

/** The option for the payment's own network. */
const noLogo = { token: '', network: '' }

type Choosing = {
  origins: readonly BridgeChain[]
  choice: Choice
  fault: Fault | null
  onChoose: (choice: Choice) => void
  onGo: () => void
  onBack: () => void
}

/** Select fields for chain and token. */
export function viewChoice(view: View, { origins, choice, fault, onChoose, onGo, onBack }: Choosing): TemplateResult {
  const { payment } = view.following.answer
  const { chainId, currency } = choice
  const origin = origins.find((one) => one.chainId === chainId)
  const pick = (event: Event) => (event.target as HTMLSelectElement).value
  return html`${viewTop(payment, viewCountdown(view.leftMs))}
    <p class="title" role="heading" aria-level="2" tabindex="-1">${t('crossChainTitle')}</p>
    <p class="label">${t('crossChainText', withUnit(payment.amount, payment), payment.network)}</p>
    ${fault ? viewFault(fault) : nothing}
    <p class="label" id="sc-chain">${t('crossChainChain')}</p>
    <select aria-labelledby="sc-chain" data-choice="chain" @change=${(event: Event) => onChoose({ chainId: Number(pick(event)), currency })}>
      ${origins.map((one) => html`<option value=${one.chainId} ?selected=${one.chainId === chainId}>${one.name}</option>`)}
    </select>
    <p class="label" id="sc-token">${t('crossChainToken')}</p>
    <select aria-labelledby="sc-token" data-choice="token" @change=${(event: Event) => onChoose({ chainId, currency: pick(event) })}>
      ${origin?.currencies.map((one) => html`<option value=${one} ?selected=${one === currency}>${one}</option>`)}
    </select>
    ${origin ? viewButton(t('crossChainGo'), onGo) : nothing}
    ${viewButton(t('crossChainBack', payment.network), onBack, 'quiet')}`
}

/** The reason in the customer's language, and a reference for support. */
function viewFault(fault: Fault): TemplateResult {
  const words = noRoute.has(fault.code) ? t('crossChainNoRoute') : t('crossChainFailed')
  return html`<p class="note panel" role="alert">${icon('warning')}<span>${words} <small>${referenceOf(fault)}</small></span></p>`
}

const noRoute = new Set(['NO_ROUTE', 'ORIGIN_NOT_SUPPORTED', 'ORIGIN_REFUND_NOT_SUPPORTED'])

export function viewWorking({ following }: View): TemplateResult {
  const text = t('crossChainWorkingText')
  return html`${viewTop(following.answer.payment)} ${viewMessage('clock', t('crossChainWorking'), text)}`
}

/**
 * The exact amount and address to send to.
 * @param onOther - Null when there is only one option.
 */
export function viewSend(view: View, bridge: Bridge, onOther: (() => void) | null): TemplateResult {
  const { following, leftMs } = view
  const { payment } = following.answer
  const { amount, currency, network, address } = bridge
  // The QR code and this amount show what is sent on the origin chain, not what the shop receives.
  const there = { ...payment, amount, remaining: amount, currency }
  const exact = withUnit(amount, there)
  const sent = { ...view, following: { ...following, answer: { ...following.answer, payment: there } } }
  const gets = t('crossChainGets', withUnit(payment.amount, payment), payment.network)
  return html`${viewTop(payment, viewCountdown(leftMs))}
    <div class="row">
      <div><p class="label">${t('toSend')}</p>${viewAmount(amount, { ...payment, currency, network, logo: noLogo })}</div>
      ${copyButton('amount', t('toSend'), amount, view)}
    </div>
    ${viewQr(view, viewQrChoice(sent))} ${viewBox('address', t('addressLabel'), address, viewGroups(address), view)}
    <p class="note">${icon('warning')}<span><b>${t('only', currency, network)}</b> ${t('crossChainExact', exact)}</span></p>
    <p class="status" part="status">${t('awaiting')}</p>
    ${viewTimeline(following)}
    <p class="label">${gets}</p>
    ${onOther ? viewButton(t('crossChainOther'), onOther, 'quiet') : nothing}`
}

/** The bridge or its chain has the customer's money. Hides the address, so that nobody sends twice. */
export function viewMoving({ following }: View, { status, amount, currency, network }: Bridge): TemplateResult {
  const { payment } = following.answer
  const [title, text] = wordsOf(status, network, payment.network)
  const more = viewAmount(amount, { ...payment, currency, network, logo: noLogo })
  // A failed bridge makes no progress toward the shop.
  const isFailed = status === 'failure'
  return html`${viewTop(payment)} ${viewMessage(isFailed ? 'warning' : 'clock', title, text, more, isFailed ? 'alert' : 'none')}
    ${isFailed ? nothing : viewTimeline(following, detectedStep)}`
}

function wordsOf(status: string, origin: string, destination: string): [title: string, text: string] {
  switch (status) {
    case 'depositing':
      return [t('crossChainSeen'), t('crossChainSeenText', origin)]
    case 'delayed':
      return [t('crossChainDelayed'), t('crossChainDelayedText')]
    case 'success':
      return [t('crossChainArriving'), t('crossChainArrivingText', destination)]
    case 'failure':
      return [t('crossChainFailing'), t('crossChainFailingText')]
    default:
      return [t('crossChainMoving'), t('crossChainMovingText')]
  }
}

export function viewReturned(
  view: View,
  { explorerUrl, refundHash, amount, currency, network }: Bridge,
): TemplateResult {
  const { intent, answer } = view.following
  const { payment } = answer
  const more = viewAmount(amount, { ...payment, currency, network, logo: noLogo })
  const link = explorerUrl && refundHash && `${explorerUrl}/tx/${refundHash}`
  return html`${viewTop(payment)} ${viewMessage('clock', t('crossChainReturned'), t('crossChainReturnedText'), more)}
    ${viewLink(link, t('crossChainRefund'))}
    ${intent.type === 'follow' ? html`<p class="label">${t('askShop')}</p>` : viewButton(t('startAgain'), view.onRestart)}`
}

export function viewShort(view: View): TemplateResult {
  return viewChecking(view, t('crossChainShort'), t('crossChainShortText'))
}

/** A response that is incomplete or contradicts an earlier one: no address is shown. */
export function viewStrange(view: View): TemplateResult {
  const { payment } = view.following.answer
  const text = t('crossChainStrangeText')
  return html`${viewTop(payment)} ${viewMessage('warning', t('crossChainStrange'), text, nothing, 'alert')}`
}
