import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { viewLink, viewMessage, viewTop, withUnit } from './frame.ts'
import type { View } from './view.ts'

/** Over by our clock while the service's word is awaited. */
export function viewChecking(view: View, title: string, text: string): TemplateResult {
  const { payment } = view.following.answer
  const shop = payment.merchant || t('theShop')
  const seen = seenOf(payment)
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)}
    <div class="panel">
      <p>${seen ? t('arrivedLate', withUnit(seen, payment), shop) : t('sentLate', shop)}</p>
      ${viewBox('id', t('keepId', shop), payment.id, payment.id, view)}
    </div>
    ${viewLink(payment.explorer.address, t('viewAddress'))}`
}
