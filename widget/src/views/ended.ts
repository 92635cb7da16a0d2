import { html, nothing, type TemplateResult } from 'lit'
import { isAtLeast, subtractDecimals } from '../decimals.ts'
import { t } from '../locales/locale.ts'
import { isPositive, seenOf } from '../payment.ts'
import { viewBox } from '../ui/copy.ts'
import { viewButton, viewMessage, viewTop, withUnit } from './frame.ts'
import { viewLink } from './links.ts'
import { owedMoneyOf, shopOf } from './owed-money.ts'
import { viewReturn } from './price-line.ts'
import type { View } from './view.ts'

/** Ended by the page's clock; waiting for the service's response. */
export function viewChecking(view: View, title: string, text: string): TemplateResult {
  const { payment } = view.following.answer
  const seen = seenOf(payment)
  const words = seen ? t('arrivedLate', withUnit(seen, payment), shopOf(payment)) : t('sentLate', shopOf(payment))
  return html`${viewTop(payment)} ${viewMessage('clock', title, text)} ${viewMoney(view, words)}
    ${viewLink(payment.explorer.address, t('viewAddress'))}`
}

/** What happens to money that arrived or will arrive, and the payment id for support. */
function viewMoney(view: View, ...sentences: string[]): TemplateResult {
  const { payment } = view.following.answer
  return html`<div class="panel">
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
    ${viewBox('id', t('keepId', shopOf(payment)), payment.id, payment.id, view)}
  </div>`
}

/**
 * Ended, as confirmed by the service: what happens to money that arrived, the payment id for support, and a new payment
 * unless all of it arrived, which would be paying twice.
 * @param refund - Money to be returned, if any.
 * @param onAgain - Replaces starting the same payment again; null hides it.
 */
export function viewEnded(view: View, refund: unknown, onAgain: (() => void) | null): TemplateResult {
  const { intent, answer } = view.following
  const { payment } = answer
  const seen = arrivedOf(view)
  const isFull = isPositive(seen) && isAtLeast(seen, payment.amount)
  const { title, text, money } = describeEnd(view, seen, isFull)
  const again = viewButton(t('startAgain'), onAgain ?? view.onRestart, seen && 'quiet')
  const other = intent.type === 'follow' && !onAgain ? html`<p class="label">${t('askShop')}</p>` : again
  return html`${viewTop(payment)} ${viewMessage(isFull ? 'warning' : 'clock', title, text)} ${viewMoney(view, ...money)}
    ${refund} ${viewLink(payment.explorer.address, t('viewAddress'))} ${isFull ? nothing : other}
    ${viewReturn(answer.wire.returnUrl, payment.merchant)}`
}

/** States of a refund in which the shop can no longer accept the money. */
const leaving: readonly string[] = ['sending', 'delayed']
const goingBack: readonly string[] = [...leaving, 'refunded']

/** What arrived, in time or late, and does not go back to the customer; empty if none. */
function arrivedOf({ following: { answer } }: View): string {
  const { detected, received } = answer.payment
  const owed = owedMoneyOf(answer)
  // Late money is in `received` only for deposits that are watched; the refund names it in any case.
  const amounts = [detected, received, owed?.state === 'held' ? owed.amount : ''].filter(isPositive)
  let arrived = amounts.reduce((most, one) => (isAtLeast(one, most) ? one : most), '0')
  for (const amount of [owed?.amountRefunded, owed && leaving.includes(owed.state) ? owed.amount : ''])
    arrived = subtractDecimals(arrived, amount || '0')
  return isPositive(arrived) ? arrived : ''
}

function describeEnd(view: View, seen: string, isFull: boolean): { title: string; text: string; money: string[] } {
  const { payment } = view.following.answer
  const shop = shopOf(payment)
  const isClosed = view.following.stage === 'closed'
  // Until the end of the late acceptance period, the payment can still become paid.
  const isOpen = !isClosed && !payment.isFinal
  if (!seen) {
    const isBack = goingBack.includes(owedMoneyOf(view.following.answer)?.state ?? '')
    const money = isOpen ? [t('lateAccepted')] : isBack ? [] : [t('sentLate', shop)]
    return isClosed
      ? { title: t('closed'), text: t('closedText'), money }
      : { title: t('timeUp'), text: t('expiredText'), money }
  }
  const arrived = t('arrivedLate', withUnit(seen, payment), shop)
  if (isFull) {
    const money = isOpen ? [t('lateCounts')] : [arrived, t('lateNext', shop)]
    return isClosed
      ? { title: t('closed'), text: t('closedText'), money }
      : { title: t('late'), text: t('lateText'), money }
  }
  const missing = subtractDecimals(payment.amount, seen)
  const short = t('arrivedShort', withUnit(seen, payment), withUnit(missing, payment))
  return {
    title: isClosed ? t('closed') : t('shortEnded'),
    text: short,
    money: [isOpen ? t('lateAccepted') : arrived],
  }
}
