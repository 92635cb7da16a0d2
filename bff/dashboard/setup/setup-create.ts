import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { ask } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** @summary Creates the service from the answers. */
@customElement('setup-create')
export class SetupCreate extends SetupStep {
  private readonly create = (): void =>
    void this.attempt(async () => {
      await ask('POST', 'create', {})
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
