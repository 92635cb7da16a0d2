import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { viewButton, viewMessage, viewTop, withUnit } from './frame.ts'
import { viewLink } from './links.ts'
import { owedMoneyOf, shopOf } from './owed-money.ts'
import { viewReturn } from './price-line.ts'
import type { View } from './view.ts'

/** Ended by the page's clock; waiting for the service's response. */
export function viewChecking(view: View, title: string, text: string): TemplateResult {
  const { payment } = view.following.answer
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)} ${viewLate(view, t('sentLate', shopOf(payment)))}
    ${viewLink(payment.explorer.address, t('viewAddress'))}`
}

/**
 * What happens to money that arrived or will arrive, and the payment id for support.
 * @param hope - Shown if no money was detected.
 */
function viewLate(view: View, hope: string): TemplateResult {
  const { payment } = view.following.answer
  const seen = seenOf(payment)
  const shop = shopOf(payment)
  return html`<div class="panel">
    <p>${seen ? t('arrivedLate', withUnit(seen, payment), shop) : hope}</p>
    ${viewBox('id', t('keepId', shop), payment.id, payment.id, view)}
  </div>`
}

/**
 * Ended, as confirmed by the service: what happens to late money, the payment id for support, and a new payment.
 * @param refund - Money to be returned, if any.
 * @param onAgain - Replaces starting the same payment again; null hides it.
 */
export function viewEnded(view: View, refund: unknown, onAgain: (() => void) | null): TemplateResult {
  const { intent, answer, stage } = view.following
  const { payment } = answer
  const seen = seenOf(payment)
  const isLate = owedMoneyOf(answer)?.state === 'held'
  const isClosed = stage === 'closed'
  // Until the end of the late acceptance period, the payment can still become paid.
  const hope = isClosed || payment.isFinal ? t('sentLate', shopOf(payment)) : t('lateAccepted')
  const title = isClosed ? t('closed') : isLate ? t('late') : t('timeUp')
  const text = isClosed ? t('closedText') : isLate ? '' : t('expiredText')
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)} ${viewLate(view, hope)}
    ${refund} ${viewLink(payment.explorer.address, t('viewAddress'))}
    ${intent.type === 'follow' && !onAgain ? html`<p class="label">${t('askShop')}</p>` : viewButton(t('startAgain'), onAgain ?? view.onRestart, seen && 'quiet')}
    ${viewReturn(answer.wire.returnUrl, payment.merchant)}`
}
