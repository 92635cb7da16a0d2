import { html, nothing, type TemplateResult } from 'lit'
import type { MessageKey } from '../locales/en.ts'
import { t } from '../locales/locale.ts'
import type { Answer } from '../payment.ts'
import { viewGroups } from '../ui/copy.ts'
import { icon } from '../ui/icon.ts'
import { explorerLink, viewLink } from '../views/links.ts'
import { formatOwed, type OwedMoney, shopOf } from '../views/owed-money.ts'

/** States of a refund that needs no action of the customer. `address_needed` shows the form instead. */
const progressKeys: Record<string, MessageKey> = {
  waiting: 'refundWaiting',
  sending: 'refundSending',
  delayed: 'refundDelayed',
  failed: 'refundFailed',
  held: 'refundHeld',
  too_small: 'refundTooSmall',
  refunded: 'refunded',
}

/** @returns null when the customer must set an address first. */
export function viewRefundProgress(answer: Answer, owed: OwedMoney): TemplateResult | null {
  const { network, state, address, txHash } = owed
  const key = progressKeys[state]
  if (!key) return null
  const seal = state === 'refunded' ? 'check' : state === 'failed' || state === 'held' ? 'warning' : 'clock'
  return html`<div class="panel form">
    <p class="note refund ${seal}">${icon(seal)}<span class="lead">${t(key, formatOwed(owed), shopOf(answer.payment))}</span></p>
    ${address ? html`<p class="label">${t('refundTo')}</p><code class="address" dir="ltr">${viewGroups(address)}</code>` : nothing}
    ${network ? nothing : viewLink(explorerLink(answer, txHash), t('viewTransaction'))}
  </div>`
}
