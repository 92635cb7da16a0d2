import { html, type TemplateResult } from 'lit/html.js'
import { seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { viewButton, viewLink, viewMessage, viewTop, withUnit } from '../views/frame.ts'
import type { View } from '../views/view.ts'
import { say } from '../words/say.ts'
import { debtOf } from './debts.ts'

/**
 * Over by the service's word: what becomes of money sent too late, the id to ask with, and the way to a new payment.
 * @param refund - What goes back, if anything does.
 */
export function viewEnded(view: View, refund: unknown): TemplateResult {
  const { intent, answer, stage } = view.following
  const { payment } = answer
  const shop = payment.merchant || say('theShop')
  const seen = seenOf(payment)
  const isLate = debtOf(answer)?.state === 'held'
  const isClosed = stage === 'closed'
  // Until the end of the time that the shop gives late money, the payment can still become paid.
  const hope = isClosed || payment.isFinal ? say('sentLate', shop) : say('lateAccepted')
  const title = isClosed ? say('closed') : isLate ? say('late') : say('timeUp')
  const text = isClosed ? say('closedText') : isLate ? '' : say('expiredText')
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)}
    <div class="panel">
      <p>${seen ? say('arrivedLate', withUnit(seen, payment), shop) : hope}</p>
      ${viewBox('id', say('keepId', shop), payment.id, payment.id, view)}
    </div>
    ${refund} ${viewLink(payment.explorer.address, say('viewAddress'))}
    ${intent.type === 'follow' ? html`<p class="label">${say('askShop')}</p>` : viewButton(say('startAgain'), view.onRestart, seen && 'quiet')}`
}
