import { html, nothing, type TemplateResult } from 'lit/html.js'
import { isPositive, seenOf } from '../payment.ts'
import * as strings from '../strings.ts'
import { viewBox } from '../ui/copy.ts'
import { viewAmount, viewButton, viewLink, viewMessage, viewTop, withUnit } from './frame.ts'
import { viewTimeline } from './timeline.ts'
import type { View } from './view.ts'

/** All of the money is seen; the network is confirming it. No address any more, so that nobody pays twice. */
export function viewConfirming({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { confirmations, requiredConfirmations, explorer } = payment
  const more = html`${viewAmount(seenOf(payment), payment)}
    <progress max=${requiredConfirmations} value=${confirmations} aria-label=${strings.progress}></progress>`
  return html`${viewTop(payment)} ${viewMessage('clock', strings.confirming, strings.confirmingText, more)}
    ${viewLink(explorer.transaction, strings.viewTransaction)} ${viewTimeline(following)}`
}

export function viewPaid({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { settlement, excess, merchant, explorer } = payment
  const { state } = settlement
  const isUnderWay = state === 'settling' || state === 'delayed'
  const words = isUnderWay ? strings.settling : state === 'settled' ? strings.settled : settlement.message
  const more = html`${viewAmount(payment.amount, payment)}
    ${isPositive(excess) ? html`<p class="panel">${strings.excess(withUnit(excess, payment), merchant || strings.theShop)}</p>` : nothing}`
  return html`${viewTop(payment)} ${viewMessage('check', strings.paid, words, more)}
    ${viewLink(explorer.transaction, strings.viewTransaction)} ${viewTimeline(following)}`
}

/** Over by the service's word: what becomes of money sent too late, the id to ask with, and the way to a new payment. */
export function viewEnded(view: View, title: string, text: string): TemplateResult {
  const { intent, answer } = view.following
  // Whoever has sent something should not be hurried into paying twice.
  const look = seenOf(answer.payment) && 'quiet'
  return html`${viewChecking(view, title, text)}
    ${intent.type === 'follow' ? html`<p class="label">${strings.askShop}</p>` : viewButton(strings.startAgain, view.onRestart, look)}`
}

/** Over by our clock while the service's word is awaited. */
export function viewChecking(view: View, title: string, text: string): TemplateResult {
  const { payment } = view.following.answer
  const shop = payment.merchant || strings.theShop
  const seen = seenOf(payment)
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)}
    <div class="panel">
      <p>${seen ? strings.arrivedLate(withUnit(seen, payment), shop) : strings.sentLate(shop)}</p>
      ${viewBox('id', strings.keepId(shop), payment.id, payment.id, view)}
    </div>
    ${viewLink(payment.explorer.address, strings.viewAddress)}`
}
