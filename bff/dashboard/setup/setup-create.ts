import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { ask, SetupFault } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** @summary Creates the service from the answers. */
@customElement('setup-create')
export class SetupCreate extends SetupStep {
  private readonly create = (): void =>
    void this.attempt(async () => {
      await ask('POST', 'create', {}).catch((fault: unknown) => {
        // By another tab, or by a request whose answer was lost: its keys are shown.
        if (!(fault instanceof SetupFault) || fault.code !== 'ALREADY_CREATED') throw fault
      })
      this.answered()
    })

  protected override render(): unknown {
    return html`
      <div class="stack">
        <p>${s('create.text')}</p>
        <p><code>${this.setup.folder}</code></p>
        ${this.renderFault()}
        <div class="row">
          <wa-button variant="brand" ?loading=${this.isBusy} @click=${this.create}>${s('create.button')}</wa-button>
        </div>
      </div>
    `
  }
}
