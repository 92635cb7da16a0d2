import { html, nothing, type TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import { icon } from '../ui/icon.ts'
import type { View } from '../views/view.ts'
import { say } from '../words/say.ts'
import { debtOf, straysOf } from './debts.ts'
import { amountOf, Refund } from './refund.ts'
import type { ScreensHost } from './screens.ts'

/** All money that goes back, whatever brought it: what exceeded the payment, and what was sent by mistake. */
export class Returns {
  private readonly host: ScreensHost
  private readonly controller: CheckoutController
  /** By payment and network: an address holds for all that lies on one. */
  private readonly refunds = new Map<string, Refund>()

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** What is owed of the payment itself; nothing when nothing is. */
  viewDebt({ following: { answer } }: View): TemplateResult | typeof nothing {
    const debt = debtOf(answer)
    return debt ? this.refundOn(answer.payment.id, '').view(debt, answer) : nothing
  }

  /** What was sent in another token or on another network. It is said on every screen: whoever reads it sends no more of it. */
  viewStrays({ following: { answer } }: View): TemplateResult[] {
    const { payment } = answer
    const asked = new Set<string>()
    return straysOf(answer).map((stray) => {
      const isAsked = stray.state === 'address_needed' && asked.has(stray.network)
      if (stray.state === 'address_needed') asked.add(stray.network)
      const words = say('stray', amountOf(stray), stray.networkName)
      return html`<p class="note stray" role="alert">${icon('warning')}<b>${words}</b></p>
        ${isAsked ? nothing : this.refundOn(payment.id, stray.network || 'own').view(stray, answer)}`
    })
  }

  private refundOn(paymentId: string, network: string): Refund {
    const name = `${paymentId} ${network}`
    const refund = this.refunds.get(name) ?? new Refund(this.host, this.controller)
    this.refunds.set(name, refund)
    return refund
  }
}
