import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { owedMoneyOf } from '../refund/owed-money.ts'
import { viewBox } from '../ui/copy.ts'
import { viewButton, viewLink, viewMessage, viewTop, withUnit } from './frame.ts'
import type { View } from './view.ts'

/**
 * Over by the service's word: what becomes of money sent too late, the id to ask with, and the way to a new payment.
 * @param refund - What goes back, if anything does.
 */
export function viewEnded(view: View, refund: unknown): TemplateResult {
  const { intent, answer, stage } = view.following
  const { payment } = answer
  const shop = payment.merchant || t('theShop')
  const seen = seenOf(payment)
  const isLate = owedMoneyOf(answer)?.state === 'held'
  const isClosed = stage === 'closed'
  // Until the end of the time that the shop gives late money, the payment can still become paid.
  const hope = isClosed || payment.isFinal ? t('sentLate', shop) : t('lateAccepted')
  const title = isClosed ? t('closed') : isLate ? t('late') : t('timeUp')
  const text = isClosed ? t('closedText') : isLate ? '' : t('expiredText')
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)}
    <div class="panel">
      <p>${seen ? t('arrivedLate', withUnit(seen, payment), shop) : hope}</p>
      ${viewBox('id', t('keepId', shop), payment.id, payment.id, view)}
    </div>
    ${refund} ${viewLink(payment.explorer.address, t('viewAddress'))}
    ${intent.type === 'follow' ? html`<p class="label">${t('askShop')}</p>` : viewButton(t('startAgain'), view.onRestart, seen && 'quiet')}`
}
