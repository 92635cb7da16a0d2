import { html, nothing, type TemplateResult } from 'lit'
import { time } from '../api/parse-answer.ts'
import { formatTime } from '../locales/format.ts'
import { t } from '../locales/locale.ts'
import { isPositive, type Payment } from '../payment.ts'
import { copyButton } from '../ui/copy.ts'
import { viewTimeline } from './confirming.ts'
import { viewAmount, viewMessage, viewTop, withUnit } from './frame.ts'
import { viewLink } from './links.ts'
import { viewPrice, viewReturn } from './price-line.ts'
import type { View } from './view.ts'

/**
 * The payment is paid.
 * @param refund - Money to be returned, if any.
 * @param isInOtherTab - Paid in another tab.
 */
export function viewPaid(view: View, refund: unknown, isInOtherTab: boolean): TemplateResult {
  const { following } = view
  const { payment } = following.answer
  const { excess, merchant } = payment
  const tooMuch = t('excess', withUnit(excess, payment), merchant || t('theShop'))
  return html`${viewTop(payment)}
    ${viewMessage('check', t('paid'), saySettlement(payment), html`${viewAmount(payment.amount, payment)} ${viewPrice(following.answer)}`)}
    ${isInOtherTab ? html`<p class="panel">${t('otherTab')}</p>` : nothing}
    ${isPositive(excess) ? html`<p class="panel">${tooMuch}</p>` : nothing} ${refund}
    ${viewReturn(following.answer.wire.returnUrl, merchant)} ${viewReceipt(view)}
    ${viewTimeline(following)}`
}

/** Whatever becomes of the payout, the customer has paid. */
function saySettlement({ settlement: { state } }: Payment): string {
  const isUnderWay = state === 'pending' || state === 'settling' || state === 'delayed'
  return isUnderWay ? t('settling') : state === 'settled' ? t('settled') : ''
}

/** The receipt: time, transaction, and the payment id for support. */
function viewReceipt(view: View): TemplateResult {
  const { payment, wire } = view.following.answer
  const { id, transactionHash, explorer } = payment
  const confirmedAtMs = time(wire.confirmedAt)
  const row = (label: string, shown: unknown) => html`<div><dt>${label}</dt><dd>${shown}</dd></div>`
  const code = (name: string, label: string, text: string) =>
    row(
      label,
      html`<code dir="ltr" data-source=${name}><span class="cut">${text.slice(0, -endLength)}</span><span>${text.slice(-endLength)}</span></code>${copyButton(name, label, text, view)}`,
    )
  return html`<dl class="panel receipt" part="receipt">
      ${confirmedAtMs ? row(t('receiptTime'), html`<bdi>${formatTime(confirmedAtMs)}</bdi>`) : nothing}
      ${transactionHash ? code('transaction', t('receiptTransaction'), transactionHash) : nothing}
      ${code('id', t('receiptId'), id)}
    </dl>
    ${viewLink(explorer.transaction, t('viewTransaction'))}`
}

/** A long id shows its end; the middle is hidden by CSS only, so that a selection copies all of it. */
const endLength = 8
