import { html, type TemplateResult } from 'lit/html.js'
import { seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { say } from '../words/say.ts'
import { viewAmount, viewLink, viewMessage, viewTop, withUnit } from './frame.ts'
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
