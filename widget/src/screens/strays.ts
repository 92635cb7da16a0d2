import { html, type TemplateResult } from 'lit/html.js'
import type { Payment } from '../payment.ts'
import { icon } from '../ui/icon.ts'
import { say, sayAmount } from '../words/say.ts'

/** What the customer sent by mistake is said on every screen: whoever sees it will not send it again. */
export function viewStrays({ strays, merchant }: Payment): TemplateResult[] {
  return strays.map(({ amount, currency, network }) => {
    const words = say('stray', `${sayAmount(amount)} ${currency}`, network, merchant || say('theShop'))
    return html`<p class="note">${icon('warning')}<span>${words}</span></p>`
  })
}
