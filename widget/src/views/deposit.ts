import { html, nothing, type TemplateResult } from 'lit'
import { formatAmount, t } from '../locales/locale.ts'
import { seenOf, toSend } from '../payment.ts'
import { copyButton, viewBox, viewGroups } from '../ui/copy.ts'
import { formatLeft } from '../ui/countdown.ts'
import { icon } from '../ui/icon.ts'
import { drawQr } from '../ui/qr.ts'
import { viewAmount, viewTop, withUnit } from './frame.ts'
import type { View } from './view.ts'

/** Secondary actions from a later chunk: below the QR code, and at the bottom. */
export type More = { qr: TemplateResult; below: TemplateResult }

/**
 * What to send and where, for a payment that is waiting or underpaid.
 * @param more - Placeholders keep its space until it is loaded.
 */
export function viewDeposit(view: View, more?: More): TemplateResult {
  const { following, leftMs, onWallet } = view
  const { payment } = following.answer
  const { currency, network, depositAddress } = payment
  const isUnderpaid = following.stage === 'underpaid'
  const amount = toSend(payment)
  const label = isUnderpaid ? t('stillToSend') : t('toSend')
  const words = isUnderpaid ? t('sendRest', withUnit(amount, payment)) : t('awaiting')
  return html`${viewTop(payment, viewCountdown(leftMs))} ${isUnderpaid ? viewSeen(view) : nothing}
    <div class="row">
      <div><p class="label">${label}</p>${viewAmount(amount, payment)}</div>
      ${copyButton('amount', label, amount, view)}
    </div>
    ${payment.chainId ? html`<button type="button" class="main" @click=${onWallet} @pointerenter=${onWallet} @focus=${onWallet}>${t('payWithWallet')}</button>` : nothing}
    ${viewQr(view, more?.qr)}
    ${viewBox('address', t('addressLabel'), depositAddress, viewGroups(depositAddress), view)}
    <p class="note">${icon('warning')}<span><b>${t('only', currency, network)}</b> ${t('onlyWhy')}</span></p>
    <p class="status" part="status">${words}</p>
    <div class="below">${more?.below ?? nothing}</div>`
}

const lastMinuteMs = 60_000

export function viewCountdown(leftMs: number): TemplateResult {
  return html`<span class="badge ${leftMs > lastMinuteMs ? '' : 'last'}" part="countdown" role="timer" aria-live="off">
    ${icon('clock')}<span class="sr">${t('timeLeft')} </span><bdi>${formatLeft(leftMs)}</bdi>
  </span>`
}

function viewSeen({ following }: View): TemplateResult {
  const { payment } = following.answer
  const words = t('seenOf', formatAmount(seenOf(payment)), withUnit(payment.amount, payment))
  return html`<p class="label"><b>${words}</b></p>
    <progress max=${payment.amount} value=${seenOf(payment)} aria-label=${words}></progress>`
}

export function viewQr(
  { following, qrChoice }: View,
  choice: TemplateResult | undefined,
): TemplateResult | typeof nothing {
  const { address, uri } = following.answer.payment.qr
  const isUri = qrChoice === 'uri' && uri
  const shown = isUri || address
  if (!shown) return nothing
  return html`<div class="panel middle">
    ${drawQr(shown, isUri ? t('qrUri') : t('qrAddress'))}
    ${uri ? html`<div class="choices">${choice ?? nothing}</div>` : nothing}
  </div>`
}
