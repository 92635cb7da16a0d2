import { html, nothing, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { Part } from '../part.ts'
import { icon } from '../ui/icon.ts'
import { formatOwed, owedMoneyOf, unmatchedTransfersOf } from '../views/owed-money.ts'
import type { View } from '../views/view.ts'
import { RefundForm } from './refund-form.ts'

/** All money to be returned: excess of the payment, and unmatched transfers. */
export class Refunds extends Part {
  /** By payment and network: one address applies to everything on a network. */
  private readonly forms = new Map<string, RefundForm>()

  /** The refund owed by the payment itself; null if none. */
  viewOwed({ following: { answer } }: View): TemplateResult | typeof nothing {
    const owed = owedMoneyOf(answer)
    return owed ? this.formFor(answer.payment.id, '').view(owed, answer) : nothing
  }

  /**
   * Transfers in another token or on another network. Shown on every screen, so that the customer sends no more of
   * them.
   */
  viewUnmatched({ following: { answer } }: View): TemplateResult[] {
    const { payment } = answer
    const asked = new Set<string>()
    return unmatchedTransfersOf(answer).map((transfer) => {
      const isAsked = transfer.state === 'address_needed' && asked.has(transfer.network)
      if (transfer.state === 'address_needed') asked.add(transfer.network)
      const sentence = t('unmatched', formatOwed(transfer), transfer.networkName)
      return html`<p class="note unmatched" role="alert">${icon('warning')}<b>${sentence}</b></p>
        ${isAsked ? nothing : this.formFor(payment.id, transfer.network || 'own').view(transfer, answer)}`
    })
  }

  private formFor(paymentId: string, network: string): RefundForm {
    const name = `${paymentId} ${network}`
    const form = this.forms.get(name) ?? new RefundForm(this.host, this.controller)
    this.forms.set(name, form)
    return form
  }
}
