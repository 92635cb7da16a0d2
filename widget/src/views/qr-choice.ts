import { html, nothing, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { toSend } from '../payment.ts'
import { withUnit } from './frame.ts'
import type { QrChoice, View } from './view.ts'

/** The QR code's content: the plain address, which every wallet reads, or a payment link with the amount. */
export function viewQrChoice({ following, qrChoice, onChooseQr }: View): TemplateResult {
  const { payment } = following.answer
  const option = (choice: QrChoice, label: string) =>
    html`<label><input type="radio" name="qr" .checked=${choice === qrChoice} @change=${() => onChooseQr(choice)} /><span>${label}</span></label>`
  const hint = html`<p class="label">${t('qrUriHint', withUnit(toSend(payment), payment))}</p>`
  return html`<div class="choice" role="radiogroup" aria-label=${t('qrChoice')}>${option('address', t('qrChoiceAddress'))}${option('uri', t('qrChoiceUri'))}</div>
    ${qrChoice === 'uri' ? hint : nothing}`
}
