import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, LitElement, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { ContractDeployment, RetriedPayouts } from '../../src/api-types.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { tFinding } from '../locales/finding-texts.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

/** What the button does on a network. */
export type Cured = { network: string; does: 'deploy' | 'retry' | 'send' | 'payShares' }

const waitingOf = { retry: 'failed', send: 'deferred', payShares: 'parked' } as const

/** The button's label, and the note beside it before it is pressed. */
const texts = {
  deploy: { label: 'cure.deploy', note: 'cure.deploy.note' },
  retry: { label: 'cure.retry', note: null },
  send: { label: 'cure.send', note: 'cure.deferred.note' },
  payShares: { label: 'cure.retry', note: null },
} as const

/**
 * Dispatched when contracts were deployed, so that the page reloads its data. A payout sent now takes a while, which its row shows
 * meanwhile.
 */
export const curedEvent = 'cured'

/** @summary Fixes a finding after confirmation by passkey, and shows the result. */
@customElement('cure-button')
export class CureButton extends LitElement {
  static override styles = baseStyles
  @property({ attribute: false }) cured!: Cured
  @state() private isBusy = false
  @state() private says = ''
  @state() private refusal: unknown

  private readonly act = async (): Promise<void> => {
    this.isBusy = true
    this.refusal = undefined
    this.says = ''
    try {
      this.says = await this.send()
      if (this.cured.does === 'deploy') this.dispatchEvent(new Event(curedEvent, { bubbles: true, composed: true }))
    } catch (fault) {
      this.refusal = fault
    }
    this.isBusy = false
  }

  private async send(): Promise<string> {
    const { network, does } = this.cured
    if (does === 'deploy') {
      const { state: became } = await requestConfirmed<ContractDeployment>('system/contracts', {
        method: 'POST',
        body: { network },
      })
      return tFinding(`cure.${became}`) ?? ''
    }
    const body = { network, waiting: waitingOf[does] }
    const { count } = await requestConfirmed<RetriedPayouts>('system/payouts/retry', { method: 'POST', body })
    return tFinding('cure.retried', [formatCount(count)]) ?? ''
  }

  protected override render(): unknown {
    const { label, note } = texts[this.cured.does]
    const said = this.says === '' && note !== null ? tFinding(note) : this.says
    return html`
      <div class="stack">
        <div class="row">
          <wa-button size="s" variant="brand" ?disabled=${this.isBusy} ?loading=${this.isBusy} @click=${this.act}>
            ${tFinding(label)}
          </wa-button>
          <span class="small ${this.says === '' ? 'quiet' : ''}" role="status">${said}</span>
        </div>
        ${this.refusal === undefined ? nothing : faultCallout(this.refusal)}
      </div>
    `
  }
}
