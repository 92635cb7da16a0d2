import { html, nothing, type TemplateResult } from 'lit'
import { type Fault, request } from '../api/client.ts'
import { currentCode, t } from '../locales/locale.ts'
import { Part } from '../part.ts'
import { icon } from '../ui/icon.ts'
import { explainFault } from '../views/fault-text.ts'
import type { View } from '../views/view.ts'

/** Named as in the service's API: their reader is a programmer. */
const actions = ['complete', 'detect', 'underpay', 'overpay', 'expire', 'late', 'reorg', 'refund', 'sweep_fail', 'fail']

/** Simulates an event of a test payment, which is on no chain. */
export class Sandbox extends Part {
  private action = actions[0] ?? ''
  private isBusy = false
  private problem: (() => string) | null = null

  view({ following }: View): TemplateResult | typeof nothing {
    const { id, isTest } = following.answer.payment
    if (!isTest || !this.host.publicKey) return nothing
    return html`<form class="panel form sandbox" @submit=${(event: Event) => void this.simulate(event, id)}>
      <label class="field">${t('simulateWhat')}
        <select dir="ltr" @change=${this.choose}>
          ${actions.map((action) => html`<option value=${action} .selected=${action === this.action}>${action}</option>`)}
        </select>
      </label>
      ${this.problem ? html`<p class="problem" role="alert">${icon('warning')}${this.problem()}</p>` : nothing}
      <button>${this.isBusy ? t('oneMoment') : t('simulate')}</button>
    </form>`
  }

  private readonly choose = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.action = target.value
  }

  private async simulate(event: Event, id: string): Promise<void> {
    event.preventDefault()
    const { checkout } = this.controller
    if (this.isBusy || !('intent' in checkout)) return
    this.show(true, null)
    const { publicKey } = this.host
    const options = { publicKey, body: { action: this.action } }
    const reply = await request(checkout.intent.apiBase, `sandbox/payments/${id}/simulate`, options)
    this.show(false, 'fault' in reply ? () => sayFault(reply.fault) : null)
    this.controller.pollAgain()
  }

  private show(isBusy: boolean, problem: Sandbox['problem']): void {
    this.isBusy = isBusy
    this.problem = problem
    this.host.requestUpdate()
  }
}

/** The reader is a developer: in English, the service's own sentence says more. */
function sayFault(fault: Fault): string {
  return fault.status && currentCode() === 'en' ? fault.message : explainFault(fault)
}
