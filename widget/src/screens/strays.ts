import { html, type TemplateResult } from 'lit/html.js'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { amount, record, text } from '../answer.ts'
import { type Answer, isPositive } from '../payment.ts'
import { icon } from '../ui/icon.ts'
import { say, sayAmount } from '../words/say.ts'

/**
 * What the customer sent by mistake, another token or on another network, and is still there: said on every screen, because
 * whoever sees it will not send it again.
 */
export function viewStrays({ payment, wire }: Answer): TemplateResult[] {
  return (Array.isArray(wire.strays) ? wire.strays : [])
    .map((json) => record<PublicPayment['strays'][number]>(json))
    .filter((stray) => isPositive(amount(stray.amount)))
    .map((stray) => {
      const sum = `${sayAmount(amount(stray.amount))} ${text(stray.currency)}`
      const words = say('stray', sum, text(stray.networkName), payment.merchant || say('theShop'))
      return html`<p class="note">${icon('warning')}<span>${words}</span></p>`
    })
}
