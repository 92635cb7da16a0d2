import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { viewAmount, viewLink, viewMessage, viewTop } from './frame.ts'
import { viewTimeline } from './timeline.ts'
import type { View } from './view.ts'

/** All of the money is seen; the network is confirming it. No address any more, so that nobody pays twice. */
export function viewConfirming({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { confirmations, requiredConfirmations, explorer } = payment
  const more = html`${viewAmount(seenOf(payment), payment)}
    <progress max=${requiredConfirmations} value=${confirmations} aria-label=${t('progress')}></progress>`
  return html`${viewTop(payment)} ${viewMessage('clock', t('confirming'), t('confirmingText'), more)}
    ${viewLink(explorer.transaction, t('viewTransaction'))} ${viewTimeline(following)}`
}
