import { html, nothing, type TemplateResult } from 'lit/html.js'
import { isPositive, seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { say } from '../words/say.ts'
import { viewAmount, viewButton, viewLink, viewMessage, viewTop, withUnit } from './frame.ts'
import { viewTimeline } from './timeline.ts'
import type { View } from './view.ts'

/** All of the money is seen; the network is confirming it. No address any more, so that nobody pays twice. */
export function viewConfirming({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { confirmations, requiredConfirmations, explorer } = payment
  const more = html`${viewAmount(seenOf(payment), payment)}
    <progress max=${requiredConfirmations} value=${confirmations} aria-label=${say('progress')}></progress>`
  return html`${viewTop(payment)} ${viewMessage('clock', say('confirming'), say('confirmingText'), more)}
    ${viewLink(explorer.transaction, say('viewTransaction'))} ${viewTimeline(following)}`
}

export function viewPaid({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { settlement, excess, merchant, explorer } = payment
  const { state } = settlement
  const isUnderWay = state === 'settling' || state === 'delayed'
  const words = isUnderWay ? say('settling') : state === 'settled' ? say('settled') : settlement.message
  const more = html`${viewAmount(payment.amount, payment)}
    ${isPositive(excess) ? html`<p class="panel">${say('excess', withUnit(excess, payment), merchant || say('theShop'))}</p>` : nothing}`
  return html`${viewTop(payment)} ${viewMessage('check', say('paid'), words, more)}
    ${viewLink(explorer.transaction, say('viewTransaction'))} ${viewTimeline(following)}`
}

/** Over by the service's word: what becomes of money sent too late, the id to ask with, and the way to a new payment. */
export function viewEnded(view: View, title: string, text: string): TemplateResult {
  const { intent, answer } = view.following
  // Whoever has sent something should not be hurried into paying twice.
  const look = seenOf(answer.payment) && 'quiet'
  return html`${viewChecking(view, title, text)}
    ${intent.type === 'follow' ? html`<p class="label">${say('askShop')}</p>` : viewButton(say('startAgain'), view.onRestart, look)}`
}

/** Over by our clock while the service's word is awaited. */
export function viewChecking(view: View, title: string, text: string): TemplateResult {
  const { payment } = view.following.answer
  const shop = payment.merchant || say('theShop')
  const seen = seenOf(payment)
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)}
    <div class="panel">
      <p>${seen ? say('arrivedLate', withUnit(seen, payment), shop) : say('sentLate', shop)}</p>
      ${viewBox('id', say('keepId', shop), payment.id, payment.id, view)}
    </div>
    ${viewLink(payment.explorer.address, say('viewAddress'))}`
}
