import { html, nothing, type TemplateResult } from 'lit/html.js'
import { seenOf, toSend } from '../payment.ts'
import { copyButton, viewBox } from '../ui/copy.ts'
import { formatLeft } from '../ui/countdown.ts'
import { icon } from '../ui/icon.ts'
import { drawQr } from '../ui/qr.ts'
import { say } from '../words/say.ts'
import { viewAmount, viewTop, withUnit } from './frame.ts'
import { viewTimeline } from './timeline.ts'
import type { QrChoice, View } from './view.ts'

/** Where to send what, for a payment that still wants money: nothing seen yet, or less than the amount. */
export function viewDeposit(view: View): TemplateResult {
  const { following, leftMs, onWallet } = view
  const { payment } = following.answer
  const { currency, network, depositAddress } = payment
  const isUnderpaid = following.stage === 'underpaid'
  const amount = toSend(payment)
  const label = isUnderpaid ? say('stillToSend') : say('toSend')
  const words = isUnderpaid ? say('sendRest', withUnit(amount, payment)) : say('awaiting')
  return html`${viewTop(payment, viewCountdown(leftMs))}
    <div class="row">
      <div><p class="label">${label}</p>${viewAmount(amount, payment)}</div>
      ${copyButton('amount', label, amount, view)}
    </div>
    ${payment.chainId ? html`<button type="button" class="main" @click=${onWallet} @pointerenter=${onWallet} @focus=${onWallet}>${say('payWithWallet')}</button>` : nothing}
    ${isUnderpaid ? viewSeen(view) : nothing} ${viewQr(view, withUnit(amount, payment))}
    ${viewBox('address', say('addressLabel'), depositAddress, viewGroups(depositAddress), view)}
    <p class="note">${icon('warning')}<span><b>${say('only', currency, network)}</b> ${say('onlyWhy')}</span></p>
    <p class="status" part="status">${words}</p>
    ${viewTimeline(following)} ${view.more(view)}`
}

const lastMinuteMs = 60_000

export function viewCountdown(leftMs: number): TemplateResult {
  return html`<span class="badge ${leftMs > lastMinuteMs ? '' : 'last'}" part="countdown" role="timer" aria-live="off">
    ${icon('clock')}<span class="sr">${say('timeLeft')} </span><bdi>${formatLeft(leftMs)}</bdi>
  </span>`
}

function viewSeen({ following }: View): TemplateResult {
  const { payment } = following.answer
  const words = say('seenOf', seenOf(payment), withUnit(payment.amount, payment))
  return html`<progress max=${payment.amount} value=${seenOf(payment)} aria-label=${words}></progress>
    <p class="label">${words}</p>`
}

export function viewQr({ following, qrChoice, onChooseQr }: View, amount: string): TemplateResult | typeof nothing {
  const { address, uri } = following.answer.payment.qr
  const isUri = qrChoice === 'uri' && uri
  const shown = isUri || address
  if (!shown) return nothing
  const option = (choice: QrChoice, words: string) =>
    html`<label><input type="radio" name="qr" .checked=${choice === qrChoice} @change=${() => onChooseQr(choice)} /><span>${words}</span></label>`
  return html`<div class="panel middle">
    ${drawQr(shown, isUri ? say('qrUri') : say('qrAddress'))}
    ${uri ? html`<div class="choice" role="radiogroup" aria-label=${say('qrChoice')}>${option('address', say('qrChoiceAddress'))}${option('uri', say('qrChoiceUri'))}</div>` : nothing}
    ${isUri ? html`<p class="label">${say('qrUriHint', amount)}</p>` : nothing}
  </div>`
}

/** Groups of four with room between but no spaces in them, so that a selection copies the address as it is. */
export function viewGroups(address: string): TemplateResult[] {
  const parts = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return parts.map((part, index) => {
    const isEnd = index === 0 || index === parts.length - 1
    return html`<span>${isEnd ? html`<b>${part}</b>` : part}</span><wbr />`
  })
}
